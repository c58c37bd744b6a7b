import { Button, Group, SegmentedControl, Switch, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import type { Order } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { jsonStore } from '@/lib/store'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { useSound } from './order-sound'
import { useDeleteOrder } from './delete-order'
import { useNearbyDrivers } from './nearby-drivers'
import { useOwnerOrders } from './orders'
import { OrdersBoard } from './OrdersBoard'
import { OrdersTable } from './OrdersTable'
import { useSetStatus } from './set-status'
import { ConfirmRemainingDialog } from './ConfirmRemainingDialog'

const viewSchema = v.picklist(['table', 'board'])
const views = jsonStore<v.InferOutput<typeof viewSchema>>('orderView', viewSchema, 'table')

/** The orders of the owner's restaurants, as a table or as a board; new ones come by themselves. */
export function OwnerOrdersPage() {
  const t = useTexts()
  const { orders, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useOwnerOrders()
  const nearbyDrivers = useNearbyDrivers(orders ?? [])
  const { set, busy, remaining, confirmRemaining, dismissRemaining } = useSetStatus(orders ?? [])
  const remove = useDeleteOrder()
  const view = useSyncExternalStore(views.subscribe, views.get)
  const waiting = orders?.filter((order) => order.status === 'pending').length
  const Orders = view === 'board' ? OrdersBoard : OrdersTable
  const controlsProps = (order: Order) => ({
    order,
    nearbyDrivers: nearbyDrivers.forOrder(order),
    busy: busy === order._id,
    onSet: set,
    onDelete: (chosen: Order) => void remove(chosen),
  })

  return (
    <Page
      title={t('owner.restaurantOrder')}
      size="fluid"
      lead={waiting === undefined ? '' : t('owner.waiting', { count: waiting })}
      aside={<Tools view={view} />}
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('owner.failed'))} retry={() => void refetch()} />}
      {nearbyDrivers.failed && <Failure message={t('owner.driversFailed')} retry={nearbyDrivers.retry} />}
      {nearbyDrivers.unverified && <Text size="sm">{t('owner.driversAfterVerifying')}</Text>}
      {orders?.length === 0 && <Empty text={t('owner.noOrders')} art="empty-list" hint={t('owner.noOrdersHint')} />}
      {orders !== undefined && orders.length > 0 && <Orders orders={orders} controlsProps={controlsProps} />}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('owner.olderOrders')}
          </Button>
        </Group>
      )}
      {view === 'board' && orders !== undefined && orders.length > 0 && (
        <Text size="sm" c="dimmed" visibleFrom="md">
          {t('owner.boardKeys')}
        </Text>
      )}
      <ConfirmRemainingDialog remaining={remaining} onConfirm={() => void confirmRemaining()} onDismiss={dismissRemaining} />
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
