import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { PrintMark } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import { keyOf, printMarksQuery, useReprint } from './print-marks'
import { PrintedTicket } from './PrintedTicket'
import { codesOf, type Ticket } from './tickets'

/** The state of a ticket in the kitchen's printer, and the button of the browser's print dialog. */
export function PrintRow({ ticket }: { ticket: Ticket }) {
  const t = useTexts()
  const { data: marks } = useQuery(printMarksQuery())
  const reprint = useReprint()
  const [isPrinting, setPrinting] = useState(false)
  const [first] = ticket.orders
  const found = ticket.status === 'pending' ? undefined : marks?.get(keyOf(first))
  // A ticket that left the kitchen waits for no paper.
  const hasLeft = ticket.status === 'dispatched' || ticket.status === 'delivered'
  const mark = hasLeft && found?.state === 'waiting' ? undefined : found
  return (
    <Group justify="space-between" gap="2px 8px" wrap="nowrap">
      <Group gap="2px 8px" miw={0}>
        {mark !== undefined && (
          <Text size="sm" c={mark.state === 'doubtful' ? 'var(--mantine-color-error)' : 'dimmed'} data-testid="print-mark" data-state={mark.state}>
            {markText(mark, t)}
          </Text>
        )}
        {mark?.state === 'doubtful' && (
          <Button size="compact-xs" variant="default" loading={reprint.isPending} aria-label={t('owner.printAgainOf', { order: codesOf(ticket) })} onClick={() => { reprint.mutate(first) }}>
            {t('owner.printAgain')}
          </Button>
        )}
      </Group>
      <ActionIcon size="sm" variant="subtle" color="gray" title={t('owner.print')} aria-label={t('owner.printOf', { order: codesOf(ticket) })} onClick={() => { setPrinting(true) }}>
        <IconPrinter size={16} aria-hidden />
      </ActionIcon>
      {isPrinting && <PrintedTicket ticket={ticket} onDone={() => { setPrinting(false) }} />}
    </Group>
  )
}

function markText({ state, problem }: PrintMark, t: ReturnType<typeof useTexts>): string {
  if (state === 'printed') return t('owner.printed')
  const text = state === 'doubtful' ? t('owner.printDoubtful') : t('owner.printWaits')
  return problem == null ? text : `${text}: ${t('owner.printProblem', { problem })}`
}
