import { Group, SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore } from '@/lib/store'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'

import { BoardView } from './BoardView'
import { useSound } from './order-sound'
import { openOrdersQuery, pendingCount } from './orders'
import { TableView } from './TableView'

const viewSchema = v.picklist(['table', 'board'])
const views = jsonStore<v.InferOutput<typeof viewSchema>>('orderView', viewSchema, 'table')

/** The orders of the owner's restaurants, as a table or as a board; new ones come by themselves. */
export function OwnerOrdersPage() {
  const t = useTexts()
  const { data: waiting } = useQuery({ ...openOrdersQuery(), select: pendingCount })
  const view = useSyncExternalStore(views.subscribe, views.get)
  return (
    <Page
      title={t('owner.restaurantOrder')}
      size="fluid"
      lead={waiting === undefined ? '' : t('owner.waiting', { count: waiting })}
      aside={<Tools view={view} />}
    >
      {view === 'board' ? <BoardView /> : <TableView />}
    </Page>
  )
}

function Tools({ view }: { view: v.InferOutput<typeof viewSchema> }) {
  const t = useTexts()
  const [sound, setSound] = useSound()
  return (
    <Group gap="md">
      <Switch
        label={t('owner.sound')}
        checked={sound}
        onChange={(event) => {
          setSound(event.currentTarget.checked)
        }}
      />
      <SegmentedControl
        aria-label={t('owner.view')}
        value={view}
        onChange={(next) => {
          views.set(v.parse(viewSchema, next))
        }}
        data={[
          { value: 'table', label: t('owner.table') },
          { value: 'board', label: t('owner.board') },
        ]}
      />
    </Group>
  )
}
