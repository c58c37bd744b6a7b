import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import classes from './paper.module.css'
import type { Ticket } from './tickets'

/** Millimetres of a CSS pixel. */
const PIXEL = 25.4 / 96

/** A ticket for the browser's print dialog, which opens at once: one page of 80 mm paper, as long as the ticket. */
export function PrintedTicket({ ticket, onDone }: { ticket: Ticket; onDone: () => void }) {
  const t = useTexts()
  const paper = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number | null>(null)
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    setHeight(Math.ceil((paper.current?.offsetHeight ?? 0) * PIXEL) + 1)
  }, [])
  useEffect(() => {
    if (height === null) return
    const finish = () => {
      done.current()
    }
    window.addEventListener('afterprint', finish)
    window.print()
    return () => {
      window.removeEventListener('afterprint', finish)
    }
  }, [height])
  const [first, ...others] = ticket.orders
  const name = first.customerName?.split(' ')[0]
  return createPortal(
    <div ref={paper} className={classes.paper} aria-hidden data-testid="paper">
      {height !== null && <style>{`@page { size: 80mm ${height}mm; margin: 0 }`}</style>}
      <p className={classes.centre}>{first.restaurantName}</p>
      <p className={classes.title}>
        {others.length === 0 ? first.orderId : t('owner.codeAndMore', { order: first.orderId, count: others.length })}
      </p>
      <p className={classes.times}>
        <span>{t('owner.ticketPlaced', { time: clockText(first.createdAt) })}</span>
        <span>{t('owner.ticketDue', { time: clockText(new Date(ticket.due).toISOString()) })}</span>
      </p>
      {name !== undefined && <p>{name}</p>}
      <ul className={classes.dishes}>
        {ticket.orders.map(({ _id, quantity, Item_name, note }) => (
          <li key={_id}>
            {quantity} × {Item_name}
            {note != null && <p className={classes.note}>{note}</p>}
          </li>
        ))}
      </ul>
      <p className={classes.title}>{first.isPaid ? t('app.paid') : t('app.unpaid')}</p>
    </div>,
    document.body,
  )
}
