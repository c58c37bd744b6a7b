import { Anchor, Table, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { DeadLetterCause } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

import classes from './console.module.css'
import { countText, durationText, secondsSince } from './format'

/** Dead letters by cause, with their ages. */
export function DeadLetterCauses({ causes }: { causes: UseQueryResult<DeadLetterCause[]> }) {
  const t = useTexts()
  const { data, error, isPending, refetch, dataUpdatedAt } = causes
  const age = (time: string) => durationText(secondsSince(time, dataUpdatedAt))
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('operator.deadLettersByCause')}
      </Title>
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.deadLettersFailed'))} retry={() => void refetch()} />}
      {data?.length === 0 && <p className={classes.quiet}>{t('operator.deadLettersEmpty')}</p>}
      {data !== undefined && data.length > 0 && (
        <div className={classes.panel} tabIndex={0} role="region" aria-label={t('operator.deadLettersByCause')}>
          <Table verticalSpacing={6} className={classes.plain ?? ''}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('operator.cause')}</Table.Th>
                <Table.Th scope="col" data-end>{t('operator.count')}</Table.Th>
                <Table.Th scope="col" data-end>{t('operator.oldest')}</Table.Th>
                <Table.Th scope="col" data-end>{t('operator.newest')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map(({ id, cause, count, oldest, newest }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={paths.operator.deadLetters()} size="sm">
                      {cause}
                    </Anchor>
                  </Table.Td>
                  <Table.Td data-end>{countText(count)}</Table.Td>
                  <Table.Td data-end>{age(oldest)}</Table.Td>
                  <Table.Td data-end>{age(newest)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </section>
  )
}
