import { Table, Title } from '@mantine/core'

import type { AccuracyScore } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import { GOAL, isTooFew, shareText } from './accuracy'
import classes from './accuracy.module.css'

interface ScoreRow {
  id: string | number
  label: string
  score: AccuracyScore
}

interface Props {
  title: string
  /** The subject of a row. */
  unit: string
  rows: ScoreRow[]
}

/** Scores side by side: how many ranges held, beside the share that should. */
export function ScoreTable({ title, unit, rows }: Props) {
  const t = useTexts()
  const number = classes.number ?? ''
  return (
    <section className={classes.card} aria-label={title}>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {/* Reached by keyboard, so that it can be scrolled by one. */}
      <div className={classes.rows} tabIndex={0} role="region" aria-label={t('accuracy.tableOf', { title })}>
        <Table verticalSpacing={6} horizontalSpacing={6} aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{unit}</Table.Th>
              <Table.Th scope="col" className={classes.held ?? ''}>
                {t('accuracy.held')}
              </Table.Th>
              <Table.Th scope="col" className={number}>
                {t('accuracy.early')}
              </Table.Th>
              <Table.Th scope="col" className={number}>
                {t('accuracy.late')}
              </Table.Th>
              <Table.Th scope="col" className={number}>
                {t('accuracy.shown')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, label, score }) => (
              <Table.Tr key={id}>
                <Table.Th scope="row" fw={500}>
                  {label}
                </Table.Th>
                <Table.Td>
                  {shareText(score.held, score)}
                  {isTooFew(score) ? (
                    <div className={classes.few}>{t('accuracy.tooFew')}</div>
                  ) : (
                    <HeldBar share={score.held / score.shown} />
                  )}
                </Table.Td>
                <Table.Td className={number}>{shareText(score.early, score)}</Table.Td>
                <Table.Td className={number}>{shareText(score.late, score)}</Table.Td>
                <Table.Td className={number}>{score.shown}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}

/** A bar of the share that held, with a mark where it should end. */
function HeldBar({ share }: { share: number }) {
  return (
    <svg className={classes.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width={100} height={6} data-part="all" />
      <rect width={share * 100} height={6} data-part="held" />
      <rect x={GOAL * 100 - 0.5} width={1} height={6} data-part="goal" />
    </svg>
  )
}
