import { Badge, Table, Text } from '@mantine/core'

import type { ReplayView } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'

import { countText, momentText } from './format'
import { type ComparedTable, readReport, type Snapshot } from './operation-progress'
import classes from './operations.module.css'
import { FailureReasons } from './FailureReasons'

/** The result: the tables that are equal, the missing events, the reasons of failures. */
export function OperationReport({ operation }: { operation: ReplayView }) {
  const t = useTexts()
  const { error, tables, failures, republished, snapshot } = readReport(operation)
  return (
    <>
      {error !== undefined && <Failure message={error} />}
      {snapshot !== undefined && <Start snapshot={snapshot} />}
      {tables.length > 0 && <Compared tables={tables} target={operation.target} />}
      {republished.length > 0 && (
        <div className={classes.table} tabIndex={0} role="group" aria-label={t('operator.publishedOf', { target: operation.target })}>
          <Table verticalSpacing={3}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('operator.subjects')}</Table.Th>
                <Table.Th scope="col" data-end>{t('operator.wasThere')}</Table.Th>
                <Table.Th scope="col" data-end>{t('operator.wasMissing')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {republished.map(({ subjects, there, missing }) => (
                <Table.Tr key={subjects}>
                  <Table.Th scope="row">{subjects}</Table.Th>
                  <Table.Td data-end>{countText(there)}</Table.Td>
                  <Table.Td data-end>{countText(missing)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <FailureReasons failures={failures} />
    </>
  )
}

/** The snapshot that a read model was built from, or the reason why there was none. */
function Start({ snapshot: { positions, takenAt, hash, reason } }: { snapshot: Snapshot }) {
  const t = useTexts()
  const streams = Object.entries(positions).map(([stream, position]) => `${stream} ${position}`)
  return (
    <Text size="sm" className={classes.start ?? ''}>
      {reason === undefined
        ? t('operator.fromSnapshot', { moment: momentText(takenAt), positions: streams.join(', '), hash })
        : t('operator.fromFirst', { reason })}
    </Text>
  )
}

function Compared({ tables, target }: { tables: ComparedTable[]; target: string }) {
  const t = useTexts()
  const hash = (value: unknown) => (value == null ? '–' : String(value))
  return (
    <div className={classes.table} tabIndex={0} role="group" aria-label={t('operator.comparedOf', { target })}>
      <Table verticalSpacing={3}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('operator.table')}</Table.Th>
            <Table.Th scope="col">{t('operator.compared')}</Table.Th>
            <Table.Th scope="col" data-end>{t('operator.servingRows')}</Table.Th>
            <Table.Th scope="col" data-end>{t('operator.rebuiltRows')}</Table.Th>
            <Table.Th scope="col">{t('operator.servingHash')}</Table.Th>
            <Table.Th scope="col">{t('operator.rebuiltHash')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tables.map((one) => (
            <Table.Tr key={one.table}>
              <Table.Th scope="row">{one.table}</Table.Th>
              <Table.Td>
                <Badge size="sm" variant="light" color={one.equal ? 'leaf' : 'red'}>
                  {one.equal ? t('operator.equal') : t('operator.differs')}
                </Badge>
              </Table.Td>
              <Table.Td data-end>{countText(one.servingRows)}</Table.Td>
              <Table.Td data-end>{countText(one.rebuiltRows)}</Table.Td>
              <Table.Td className={classes.code ?? ''}>{hash(one.servingHash)}</Table.Td>
              <Table.Td className={classes.code ?? ''}>{hash(one.rebuiltHash)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
