import { Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { restaurantsQuery } from '@/api/catalogue'
import type { Figures } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { dateText, moneyText } from '@/lib/format'
import { changeText, countText } from '@/lib/numbers'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'
import { Tile, Tiles } from '@/ui/Tiles'

import { FigureTable, type Measure } from './FigureTable'
import { dayMark, figuresQuery, previousFiguresQuery, type Span, SPANS } from './figures'

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
  const previous = useQuery(previousFiguresQuery(span, restaurantId))
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
      {data !== undefined && <FigureReport figures={data} previous={previous.isPlaceholderData ? undefined : previous.data} span={span} measure={measure} />}
      {accuracy(span)}
    </Page>
  )
}

/** The service tells the best by portions and the best by revenue. */
const TOP_DISHES = 10

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

interface ReportProps {
  figures: Figures
  /** The figures of as many days before; absent until they are known. */
  previous: Figures | undefined
  span: Span
  measure: Measure
}

function FigureReport({ figures, previous, span, measure }: ReportProps) {
  const t = useTexts()
  const wait = (seconds: number | null | undefined) =>
    seconds == null ? t('owner.notAvailable') : t('owner.minutes', { count: countText(Math.round(seconds / 60)) })
  const tiles: { label: string; of: (figures: Figures) => number | null | undefined; text: (value: number | null | undefined) => string }[] = [
    { label: t('owner.orders'), of: ({ orders }) => orders, text: (value) => countText(value ?? 0) },
    { label: t('owner.revenue'), of: ({ revenue }) => revenue, text: (value) => moneyText(value ?? 0) },
    { label: t('owner.unpaidAmount'), of: ({ unpaid }) => unpaid, text: (value) => moneyText(value ?? 0) },
    { label: t('owner.cancelledOrders'), of: ({ cancelled }) => cancelled, text: (value) => countText(value ?? 0) },
    { label: t('owner.toConfirm'), of: ({ toConfirm }) => toConfirm.median, text: wait },
    { label: t('owner.toDeliver'), of: ({ toDeliver }) => toDeliver.median, text: wait },
  ]
  const days = figures.days.map((day) => ({
    ...day,
    // The middle of the day, so that it is the same day everywhere near.
    label: dateText(`${day.date}T06:30:00Z`),
    mark: dayMark(day.date),
    exported: day.date,
  }))
  const dishes = figures.bestItems.map((item) => ({ ...item, orders: item.quantity, label: item.name }))
  const file = (name: string) => `${name}-${figures.from}-${figures.to}`
  return (
    <>
      <Tiles>
        {tiles.map(({ label, of, text }) => (
          <Tile key={label} label={label} value={text(of(figures))}>
            {previous !== undefined && t('owner.previousDays', { days: span, value: withChange(text(of(previous)), of(previous), of(figures)) })}
          </Tile>
        ))}
      </Tiles>
      <Text size="sm" c="dimmed">
        {t('owner.figuresNote')}
      </Text>
      <FigureTable
        title={t('owner.byDay')}
        unit={t('owner.day')}
        measure={measure}
        rows={days}
        listed={days.filter(({ orders }) => orders > 0).toReversed()}
        file={file('days')}
      />
      <FigureTable
        title={t('owner.byHour')}
        unit={t('owner.hour')}
        measure={measure}
        rows={figures.hours.map((hour) => ({ ...hour, label: hourText(hour.hour) }))}
        file={file('hours')}
      />
      <FigureTable
        title={t('owner.bestItems')}
        unit={t('owner.dish')}
        measure={measure}
        rows={dishes.toSorted((one, other) => other[measure] - one[measure]).slice(0, TOP_DISHES)}
        isRanking
        counted={t('owner.portions')}
        file={file('dishes')}
      />
    </>
  )
}

/** A figure of the days before, with its change since. */
function withChange(text: string, before: number | null | undefined, now: number | null | undefined): string {
  const change = before == null || now == null ? null : changeText(before, now)
  return change === null ? text : `${text} (${change})`
}
