import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { restaurantsQuery } from '@/api/catalogue'
import { driversQuery } from '@/api/drivers'
import { deliveriesUnderWayQuery, orderCountsQuery, queueQuery } from '@/api/figures'
import type { ListInquiriesResponses, ListItemsResponses, ListReviewsResponses } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { countText } from '@/lib/numbers'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import classes from './dashboard.module.css'
import { driversDelivering } from './deliveries-on-map'
import { STATUSES } from './statuses'

/** The number of orders by status. */
export function OrderFigures() {
  const t = useTexts()
  const { data, isError } = useQuery(orderCountsQuery())
  return (
    <Group title={t('admin.ordersByStatus')}>
      {STATUSES.map((status) => (
        <Figure key={status} label={statusLabel(status)} value={data?.[status]} isError={isError} to={paths.admin.orders({ status })} />
      ))}
    </Group>
  )
}

/** The work that waits for an administrator. */
export function QueueFigures() {
  const t = useTexts()
  const orders = useQuery(orderCountsQuery())
  const restaurants = useQuery(restaurantsQuery())
  const items = useQuery(queueQuery<ListItemsResponses>(lists.items, { approve: 'false' }))
  const reviews = useQuery(queueQuery<ListReviewsResponses>(lists.reviews, { isApproved: 'false' }))
  const inquiries = useQuery(queueQuery<ListInquiriesResponses>(lists.inquiries, {}, (inquiry) => !inquiry.response))
  const queue = (data: { count: number; isMore: boolean } | undefined) =>
    data === undefined ? undefined : `${countText(data.count)}${data.isMore ? '+' : ''}`
  return (
    <Group title={t('admin.waitingForYou')}>
      <Figure label={t('admin.ordersToApprove')} value={orders.data?.unapproved} isError={orders.isError} to={paths.admin.orders({ isApprove: 'false' })} />
      <Figure
        label={t('admin.restaurantsToVerify')}
        value={restaurants.data?.filter((one) => !one.verified).length}
        isError={restaurants.isError}
        to={paths.admin.restaurants({ verified: 'false' })}
      />
      <Figure
        label={t('admin.itemsToApprove')}
        value={queue(items.data)}
        isError={items.isError}
        to={paths.admin.items({ approve: 'false' })}
      />
      <Figure
        label={t('admin.reviewsToApprove')}
        value={queue(reviews.data)}
        isError={reviews.isError}
        to={paths.admin.reviews({ isApproved: 'false' })}
      />
      <Figure
        label={t('admin.inquiriesToAnswer')}
        value={queue(inquiries.data)}
        isError={inquiries.isError}
        to={paths.admin.inquiries()}
      />
    </Group>
  )
}

/** The drivers on the way, and the free ones. */
export function DriverFigures() {
  const t = useTexts()
  const deliveries = useQuery(deliveriesUnderWayQuery())
  const drivers = useQuery(driversQuery())
  const all = drivers.data
  const delivering = deliveries.data === undefined ? undefined : driversDelivering(deliveries.data)
  return (
    <dl className={classes.figures}>
      <Figure label={t('admin.activeDeliveries')} value={deliveries.data?.length} isError={deliveries.isError} />
      <Figure label={t('admin.driversDelivering')} value={delivering?.size} isError={deliveries.isError} />
      <Figure
        label={t('admin.driversAvailable')}
        value={
          all === undefined || delivering === undefined
            ? undefined
            : t('admin.availableOf', {
                available: countText(all.filter(({ _id, isAvailable }) => isAvailable && !delivering.has(_id)).length),
                all: countText(all.length),
              })
        }
        isError={drivers.isError || deliveries.isError}
      />
    </dl>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <dl className={classes.figures}>{children}</dl>
    </Stack>
  )
}

interface FigureProps {
  label: string
  /** Undefined until it is known. */
  value: number | string | undefined
  isError: boolean
  /** The page with more. */
  to?: string
}

function Figure({ label, value, isError, to }: FigureProps) {
  const t = useTexts()
  const text = typeof value === 'number' ? countText(value) : value
  const shown = isError ? t('admin.notAvailable') : text
  return (
    <div className={classes.figure} data-figure={label}>
      <dt>{to === undefined ? label : <Link to={to}>{label}</Link>}</dt>
      <dd>{shown === undefined ? <Skeleton width={48} height={26} /> : <Text span inherit>{shown}</Text>}</dd>
    </div>
  )
}
