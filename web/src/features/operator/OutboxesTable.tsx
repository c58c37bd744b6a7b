import { Badge, Table, Title } from '@mantine/core'

import type { ServiceView } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import classes from './console.module.css'
import { countText, durationText } from './format'

/** The number of events that each service has yet to publish. */
export function OutboxesTable({ services }: { services: ServiceView[] }) {
  const t = useTexts()
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('operator.outboxes')}
      </Title>
      <div className={classes.panel} tabIndex={0} role="region" aria-label={t('operator.outboxes')}>
        <Table verticalSpacing={6} className={classes.plain ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('operator.service')}</Table.Th>
              <Table.Th scope="col" data-end>{t('operator.waiting')}</Table.Th>
              <Table.Th scope="col" data-end>{t('operator.oldestWaits')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {services.map(({ name, isThere, outboxWaiting, outboxLagSeconds }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td data-end>{isThere ? countText(outboxWaiting) : '–'}</Table.Td>
                <Table.Td data-end>
                  {isThere ? durationText(outboxLagSeconds) : <Badge color="red" variant="light" size="sm">{t('operator.noAnswer')}</Badge>}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}
