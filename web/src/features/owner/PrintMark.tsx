import { Button } from '@mantine/core'

import type { PrintMark as Mark } from '@/api/generated/types.gen'
import { codesOf } from '@/api/tickets'
import { useTexts } from '@/lib/texts'

import classes from './board.module.css'
import { useReprint } from './print-marks'
import type { Ticket } from './tickets'

interface Props {
  ticket: Ticket
  mark: Mark
}

/** The state of a ticket in the kitchen's printer. */
export function PrintMark({ ticket, mark }: Props) {
  const t = useTexts()
  const [first] = ticket.orders
  const reprint = useReprint()
  if (ticket.status === 'pending') return null
  // A ticket that left the kitchen waits for no paper.
  const hasLeft = ticket.status === 'dispatched' || ticket.status === 'delivered'
  if (hasLeft && mark.state === 'waiting') return null
  return (
    <div className={classes.printing}>
      <span data-testid="print-mark" data-state={mark.state}>
        {markText(mark, t)}
      </span>
      {mark.state === 'doubtful' && (
        <Button size="compact-xs" variant="default" loading={reprint.isPending} aria-label={t('owner.printAgainOf', { order: codesOf(ticket.orders) })} onClick={() => { reprint.mutate(first) }}>
          {t('owner.printAgain')}
        </Button>
      )}
    </div>
  )
}

function markText({ state, problem }: Mark, t: ReturnType<typeof useTexts>): string {
  if (state === 'printed') return t('owner.printed')
  const text = state === 'doubtful' ? t('owner.printDoubtful') : t('owner.printWaits')
  return problem == null ? text : `${text}: ${t('owner.printProblem', { problem })}`
}
