import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'

import { codesOf } from '@/api/tickets'
import { useTexts } from '@/lib/texts'

import { CardAction } from './CardAction'
import { PrintedTicket } from './PrintedTicket'
import type { Ticket } from './tickets'

/** Opens the browser's print dialog with a ticket. */
export function PrintButton({ ticket }: { ticket: Ticket }) {
  const t = useTexts()
  const [isPrinting, setPrinting] = useState(false)
  return (
    <>
      <CardAction title={t('owner.print')} aria-label={t('owner.printOf', { order: codesOf(ticket.orders) })} onClick={() => { setPrinting(true) }}>
        <IconPrinter size={16} aria-hidden />
      </CardAction>
      {isPrinting && <PrintedTicket ticket={ticket} onDone={() => { setPrinting(false) }} />}
    </>
  )
}
