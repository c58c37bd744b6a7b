import { Anchor, Button, Group, TextInput, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { eventsQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import classes from './console.module.css'
import { readEvent, textOf } from './envelope'
import { momentText } from './format'

const PLACED = { stream: 'ORDERS', type: 'tiffin.order.placed.v1' }

/** Asks for an order, and leads to its timeline. */
export function FindOrderPage() {
  const t = useTexts()
  const navigate = useNavigate()
  const [order, setOrder] = useState('')
  const [isMissing, setMissing] = useState(false)
  const newest = useInfiniteQuery(eventsQuery(PLACED, 10))
  const find = (event: FormEvent) => {
    event.preventDefault()
    const asked = order.trim()
    setMissing(asked === '')
    if (asked !== '') void navigate(paths.operator.timeline(asked))
  }
  const rows = newest.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Page title={t('operator.timeline')} lead={t('operator.timelineLead')} size="fluid">
      <form onSubmit={find} noValidate>
        <Group align="start" gap="sm">
          <TextInput
            label={t('operator.orderField')}
            description={t('operator.orderHint')}
            value={order}
            maxLength={64}
            w={340}
            maw="100%"
            error={isMissing && t('operator.orderNeeded')}
            onChange={(event) => {
              setOrder(event.currentTarget.value)
            }}
          />
          <Button type="submit" mt={{ base: 0, sm: 46 }}>
            {t('operator.showTimeline')}
          </Button>
        </Group>
      </form>
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('operator.newestOrders')}
        </Title>
        {newest.isPending && <Loading />}
        {newest.error !== null && (
          <Failure message={messageOf(newest.error, t('operator.eventsFailed'))} retry={() => void newest.refetch()} />
        )}
        {newest.isSuccess && rows.length === 0 && <Empty text={t('operator.ordersEmpty')} art="empty-list" />}
        <ul className={classes.lines}>
          {rows.map((row) => {
            const { subject, time, data } = readEvent(row.event)
            const code = textOf(data, 'orderCode') ?? subject
            return (
              <li key={row.seq}>
                <Anchor component={Link} to={paths.operator.timeline(code)} className={classes.code ?? ''}>
                  {code}
                </Anchor>
                <time dateTime={time}>{momentText(time)}</time>
              </li>
            )
          })}
        </ul>
      </section>
    </Page>
  )
}
