import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { PrintMark as Mark } from '@/api/generated/types.gen'
import { codesOf } from '@/api/tickets'
import { useTexts } from '@/lib/texts'

import { keyOf, printMarksQuery, useReprint } from './print-marks'
import type { Ticket } from './tickets'

/** The state of a ticket in the kitchen's printer; nothing of one that is not printed there. */
export function PrintMark({ ticket }: { ticket: Ticket }) {
  const t = useTexts()
  const [first] = ticket.orders
  const { data: mark } = useQuery({ ...printMarksQuery(), select: (marks) => marks.get(keyOf(first)) })
  const reprint = useReprint()
  if (mark === undefined || ticket.status === 'pending') return null
  // A ticket that left the kitchen waits for no paper.
  const hasLeft = ticket.status === 'dispatched' || ticket.status === 'delivered'
  if (hasLeft && mark.state === 'waiting') return null
  return (
    <Group gap="2px 8px">
      <Text size="sm" c={mark.state === 'doubtful' ? 'var(--mantine-color-error)' : 'dimmed'} data-testid="print-mark" data-state={mark.state}>
        {markText(mark, t)}
      </Text>
      {mark.state === 'doubtful' && (
        <Button size="compact-xs" variant="default" loading={reprint.isPending} aria-label={t('owner.printAgainOf', { order: codesOf(ticket.orders) })} onClick={() => { reprint.mutate(first) }}>
          {t('owner.printAgain')}
        </Button>
      )}
    </Group>
  )
}

function markText({ state, problem }: Mark, t: ReturnType<typeof useTexts>): string {
  if (state === 'printed') return t('owner.printed')
  const text = state === 'doubtful' ? t('owner.printDoubtful') : t('owner.printWaits')
  return problem == null ? text : `${text}: ${t('owner.printProblem', { problem })}`
}
