import { Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'

import { deliveriesUnderWayQuery } from '@/api/figures'
import { messageOf } from '@/api/problem'
import { lazyPart } from '@/lib/lazy-part'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure } from '@/ui/states'

import { OrderFigures, DriverFigures, QueueFigures } from './Figures'
import classes from './dashboard.module.css'

// The map and its library are only fetched where a map is looked at.
const DeliveriesMap = lazyPart(async () => ({ default: (await import('./DeliveriesMap')).DeliveriesMap }))

interface Props {
  /** Draws how often times of arrival held. */
  accuracy: ReactNode
}

/** The state of the platform now: counts by status, work for administrators, drivers on the map. */
export function DashboardPage({ accuracy }: Props) {
  const t = useTexts()
  const { data, error, refetch } = useQuery(deliveriesUnderWayQuery())
  return (
    <Page title={t('admin.dashboard')} size="fluid">
      <QueueFigures />
      <OrderFigures />
      <Stack component="section" gap="sm" aria-labelledby="under-way">
        <Title order={2} id="under-way">
          {t('admin.underWay')}
        </Title>
        <DriverFigures />
        {error !== null && (
          <Failure message={messageOf(error, t('admin.deliveriesFailed'))} retry={() => void refetch()} />
        )}
        <Suspense fallback={<Skeleton className={classes.map ?? ''} radius="lg" />}>
          <DeliveriesMap deliveries={data ?? []} isPending={data === undefined && error === null} />
        </Suspense>
      </Stack>
      {accuracy}
    </Page>
  )
}
