import { Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { restaurantsQuery } from '@/api/catalogue'
import type { Figures } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { dateText, rupees } from '@/lib/format'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'
import { Tile, Tiles } from '@/ui/Tiles'

import { FigureTable, type Measure } from './FigureTable'
import { figuresQuery, type Span, SPANS } from './figures'

interface Props {
  /** Draws how often times of arrival held in the last days. */
  accuracy: (days: number) => ReactNode
}

/** The figures of the owner's restaurants. */
export function FiguresPage({ accuracy }: Props) {
  const t = useTexts()
  const user = useSessionUser()
  const [span, setSpan] = useState<Span>(30)
  const [restaurantId, setRestaurantId] = useState('')
  const [measure, setMeasure] = useState<Measure>('revenue')
  const { data: restaurants } = useQuery(restaurantsQuery())
  const { data, error, isPending, refetch } = useQuery(figuresQuery(span, restaurantId))
  const own = restaurants?.filter(({ ownerId }) => ownerId === user?.id) ?? []
  return (
    <Page title={t('owner.navFigures')} size="xl">
      <Group gap="md">
        <SegmentedControl
          aria-label={t('owner.span')}
          value={String(span)}
          onChange={(next) => {
            setSpan(SPANS.find((one) => String(one) === next) ?? 30)
          }}
          data={SPANS.map((days) => ({ value: String(days), label: t('owner.lastDays', { days }) }))}
        />
        <SegmentedControl
          aria-label={t('owner.chartShows')}
          value={measure}
          onChange={(next) => {
            setMeasure(next === 'orders' ? 'orders' : 'revenue')
          }}
          data={[
            { value: 'revenue', label: t('owner.revenue') },
            { value: 'orders', label: t('owner.orders') },
          ]}
        />
        {own.length > 1 && (
          <NativeSelect
            aria-label={t('owner.restaurant')}
            value={restaurantId}
            onChange={(event) => {
              setRestaurantId(event.currentTarget.value)
            }}
            data={[{ value: '', label: t('owner.allRestaurants') }, ...own.map(({ _id, name }) => ({ value: _id, label: name }))]}
          />
        )}
      </Group>
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('owner.failed'))} retry={() => void refetch()} />}
      {data !== undefined && <FigureReport figures={data} measure={measure} />}
      {accuracy(span)}
    </Page>
  )
}

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

function FigureReport({ figures, measure }: { figures: Figures; measure: Measure }) {
  const t = useTexts()
  const { toConfirm, toDeliver } = figures
  const wait = (seconds: number | null | undefined) =>
    seconds == null ? t('owner.notAvailable') : t('owner.minutes', { count: Math.round(seconds / 60) })
  const tiles: [label: string, value: string | number][] = [
    [t('owner.orders'), figures.orders],
    [t('owner.revenue'), rupees(figures.revenue)],
    [t('owner.unpaidAmount'), rupees(figures.unpaid)],
    [t('owner.cancelledOrders'), figures.cancelled],
    [t('owner.toConfirm'), wait(toConfirm.median)],
    [t('owner.toDeliver'), wait(toDeliver.median)],
  ]
  return (
    <>
      <Tiles>
        {tiles.map(([label, value]) => (
          <Tile key={label} label={label} value={value} />
        ))}
      </Tiles>
      <Text size="sm" c="dimmed">
        {t('owner.figuresNote')}
      </Text>
      <FigureTable
        title={t('owner.byDay')}
        unit={t('owner.day')}
        measure={measure}
        // The middle of the day, so that it is the same day everywhere near.
        rows={figures.days.map((day) => ({ ...day, label: dateText(`${day.date}T06:30:00Z`) }))}
      />
      <FigureTable
        title={t('owner.byHour')}
        unit={t('owner.hour')}
        measure={measure}
        rows={figures.hours.map((hour) => ({ ...hour, label: hourText(hour.hour) }))}
      />
      <FigureTable
        title={t('owner.bestItems')}
        unit={t('owner.dish')}
        measure={measure}
        rows={figures.bestItems.map((item) => ({ ...item, orders: item.quantity, label: item.name }))}
      />
    </>
  )
}
