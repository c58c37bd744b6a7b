import { Group, Switch, Table, Title, UnstyledButton } from '@mantine/core'
import { memo, useState } from 'react'

import { useTexts } from '@/lib/texts'

import { type TimelineEvent, POSITIONS } from './history'
import { millisecondText, secondText, sinceText } from './format-time'
import classes from './timeline.module.css'
import { causeText, laneText } from './timeline-texts'

interface Props {
  history: TimelineEvent[]
  selectedId: string | null
  chain: Set<string>
  onSelect: (id: string) => void
}

/** A line of the list: one event, or positions that came one after the other. */
type Line = TimelineEvent[]

/** The history as a list, with everything that the graph shows. */
export const HistoryTable = memo(function HistoryTable({ history, selectedId, chain, onSelect }: Props) {
  const t = useTexts()
  const [isWhole, setWhole] = useState(false)
  const first = history[0]?.at ?? 0
  const hasPositions = history.some(({ lane }) => lane === POSITIONS)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {t('operator.timelineList')}
        </Title>
        {hasPositions && (
          <Switch
            label={t('operator.timelineEveryPosition')}
            checked={isWhole}
            onChange={(event) => {
              setWhole(event.currentTarget.checked)
            }}
          />
        )}
      </Group>
      <div className={classes.list} tabIndex={0} role="region" aria-label={t('operator.timelineList')}>
        <Table verticalSpacing={5} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('operator.time')}</Table.Th>
              <Table.Th scope="col">{t('operator.timelineSince')}</Table.Th>
              <Table.Th scope="col">{t('operator.service')}</Table.Th>
              <Table.Th scope="col">{t('operator.event')}</Table.Th>
              <Table.Th scope="col">{t('operator.timelineLatency')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {linesOf(history, isWhole).map((line) => {
              const [one, last] = [line[0], line.at(-1)]
              if (one === undefined || last === undefined) return null
              const isPicked = line.some(({ id }) => id === selectedId)
              return (
                <Table.Tr key={one.id} data-picked={isPicked || undefined} data-chosen={(selectedId !== null && chain.has(one.id)) || undefined}>
                  <Table.Td className={classes.number ?? ''}>{millisecondText(one.at)}</Table.Td>
                  <Table.Td className={classes.number ?? ''}>{sinceText(one.at - first)}</Table.Td>
                  <Table.Td>
                    <span data-lane={one.lane} className={classes.laneBadge}>
                      {laneText(one.lane)}
                    </span>
                  </Table.Td>
                  <Table.Td>
                    <UnstyledButton
                      className={classes.name ?? ''}
                      aria-pressed={isPicked}
                      onClick={() => {
                        onSelect(one.id)
                      }}
                    >
                      {line.length === 1 ? one.name : t('operator.timelinePositionsUntil', { count: line.length, time: secondText(last.at) })}
                    </UnstyledButton>
                  </Table.Td>
                  <Table.Td>{causeText(one, history) ?? '–'}</Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
})

/** Consecutive positions are one line unless the reader asks for each. */
function linesOf(history: TimelineEvent[], isWhole: boolean): Line[] {
  const lines: Line[] = []
  for (const one of history) {
    const before = lines.at(-1)
    if (!isWhole && one.lane === POSITIONS && before?.[0]?.lane === POSITIONS) before.push(one)
    else lines.push([one])
  }
  return lines
}
