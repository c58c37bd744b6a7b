import { Button } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, memo, useState } from 'react'

import type { Order, PrintMark as Mark } from '@/api/generated/types.gen'
import { codesOf } from '@/api/tickets'
import { agoText, clockText, moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { useEverySecond } from '@/lib/use-every-second'
import { whyNotCancellable } from '@/ui/cancellation'
import { PaidBadge } from '@/ui/PaidBadge'

import classes from './board.module.css'
import { CardAction } from './CardAction'
import { useKitchenMode } from './kitchen-mode'
import { DriverSelect } from './order-selects'
import { PrintButton } from './PrintButton'
import { PrintMark } from './PrintMark'
import { useSelectedDriver } from './selected-driver'
import { isDriverFixed, nextStatus } from './status'
import { SuggestButton } from './SuggestButton'
import { TicketLines } from './TicketLines'
import { isSameTicket, type Ticket, urgencyAt } from './tickets'
import type { OrderControlsProps } from './use-order-controls'

/** Milliseconds between two readings of the clock: ages are in minutes. */
const TICK = 10_000

interface Props {
  ticket: Ticket
  /** True if one of its orders is among the newest. */
  isNew: boolean
  /** The controls of its first order. */
  controls: OrderControlsProps
  controlsProps: (order: Order) => OrderControlsProps
  /** True if Tab leads here; arrows lead to all others. */
  isTabStop: boolean
  /** The key that leads here in the kitchen's mode; null without one. */
  number: number | null
  /** Its state in the kitchen's printer, if it is printed there. */
  mark: Mark | undefined
  onMount: (card: HTMLElement) => void
}

/**
 * One customer's orders from one restaurant: their next step is one click or one press of Enter away. Of a hundred cards
 * only those are drawn again that changed. Most of a card is plain elements: a card that comes or goes to another column
 * is made within one frame.
 */
export const TicketCard = memo(Card, looksSame)

function Card({ ticket, isNew, controls, controlsProps, isTabStop, number, mark, onMount }: Props) {
  const t = useTexts()
  const inKitchen = useKitchenMode()
  const urgency = useEverySecond(() => urgencyAt(ticket, readClock()))
  const age = useEverySecond(() => ageText(ticket, readClock(), t))
  const [isOpen, setOpen] = useState(false)
  const { orders } = ticket
  const [first] = orders
  const { nearbyDrivers, busy, isDeclined, onSuggest, onSet, onCancel, onDelete } = controls
  const [selected, setSelected] = useSelectedDriver(nearbyDrivers)
  const customer = first.customerName ?? first.email
  const next = nextStatus(ticket.status)
  const isCancellable = whyNotCancellable(ticket) === null
  const advance = () => {
    if (next !== null && !busy) onSet(first, next, selected)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey
    if (event.target !== event.currentTarget || modified) return
    const actions: Record<string, () => void> = {
      Enter: advance,
      ...(isCancellable ? { c: () => { onCancel(orders) } } : {}),
      ...(onSuggest === null ? {} : { s: () => { onSuggest(first) } }),
      i: () => { setOpen(!isOpen) },
      // One of several orders is deleted among the ticket's lines.
      Delete: () => { if (orders.length === 1) onDelete(first); else setOpen(true) },
    }
    // In the kitchen's mode they are the numbers of tickets.
    const candidate = inKitchen ? undefined : nearbyDrivers?.[Number(event.key) - 1]
    const action = actions[event.key] ?? (candidate && (() => { setSelected(candidate._id) }))
    if (action === undefined) return
    event.preventDefault()
    action()
  }

  const keys = ['Enter I', isCancellable && 'C', onSuggest !== null && 'S', 'Delete U', inKitchen ? number : '1 2 3']

  return (
    <article
      ref={(card) => {
        if (card !== null) onMount(card)
      }}
      className={classes.card}
      tabIndex={isTabStop ? 0 : -1}
      data-card={first._id}
      data-testid="order-card"
      data-order={codesOf(orders)}
      data-urgency={urgency}
      data-new={isNew || undefined}
      data-number={number ?? undefined}
      aria-label={t('owner.order', { order: codesOf(orders) })}
      aria-keyshortcuts={keys.filter(Boolean).join(' ')}
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        {number !== null && (
          <span className={classes.number} aria-hidden>
            {number}
          </span>
        )}
        <span className={classes.code} title={codesOf(orders)}>
          {first.orderId}
        </span>
        {orders.length > 1 && <span className={classes.age}>{`+${String(orders.length - 1)}`}</span>}
        <span className={classes.age} data-urgency={urgency} data-testid="age">
          {age}
        </span>
        {ticket.status !== 'delivered' && <span className={classes.age}>{dueText(ticket, t)}</span>}
        <div className={classes.actions}>
          {isCancellable && (
            <CardAction
              title={t(orders.length === 1 ? 'cancellation.cancel' : 'owner.cancelTicket')}
              aria-label={t('cancellation.cancelOf', { order: codesOf(orders) })}
              data-cancels
              onClick={() => {
                onCancel(orders)
              }}
            >
              <IconX size={16} aria-hidden />
            </CardAction>
          )}
          <PrintButton ticket={ticket} />
          <CardAction
            aria-expanded={isOpen}
            aria-label={t('owner.detailsOf', { order: codesOf(orders) })}
            onClick={() => {
              setOpen(!isOpen)
            }}
          >
            <IconChevronDown size={16} aria-hidden className={classes.chevron} />
          </CardAction>
        </div>
      </div>
      <ul className={classes.dishes}>
        {orders.map(({ _id, quantity, Item_name, note }) => (
          <li key={_id}>
            {quantity} × {Item_name}
            {note != null && (
              <p className={classes.note} data-testid="note">
                {note}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className={classes.customer} title={`${first.restaurantName}, ${customer}`}>
        {first.restaurantName} · {customer}
      </p>
      <div className={classes.money}>
        <span className={classes.amount}>{moneyText(orders.reduce((sum, { totalAmount }) => sum + totalAmount, 0))}</span>
        <PaidBadge order={first} />
      </div>
      {mark !== undefined && <PrintMark ticket={ticket} mark={mark} />}
      {onSuggest !== null && <SuggestButton order={first} isDeclined={isDeclined} onSuggest={() => { onSuggest(first) }} />}
      <div className={classes.step}>
        {isDriverFixed(first) ? (
          <span className={classes.driver} title={first.driverName ?? ''}>
            {first.driverName}
          </span>
        ) : (
          <DriverSelect order={first} nearbyDrivers={nearbyDrivers} selected={selected} onSelect={setSelected} placeholder={t('owner.driver')} />
        )}
        {next !== null && (
          <Button size="xs" px={10} loading={busy} onClick={advance}>
            {t(`owner.${next}Step`)}
          </Button>
        )}
      </div>
      {isOpen && <TicketLines orders={orders} controlsProps={controlsProps} />}
    </article>
  )
}

/** The callbacks are not compared: their effect depends on the ticket alone. */
function looksSame(before: Props, now: Props): boolean {
  return (
    before.isNew === now.isNew &&
    before.isTabStop === now.isTabStop &&
    before.number === now.number &&
    before.mark?.state === now.mark?.state &&
    before.mark?.problem === now.mark?.problem &&
    isSameTicket(before.ticket, now.ticket) &&
    before.controls.nearbyDrivers === now.controls.nearbyDrivers &&
    before.controls.busy === now.controls.busy &&
    before.controls.isDeclined === now.controls.isDeclined &&
    (before.controls.onSuggest === null) === (now.controls.onSuggest === null)
  )
}

function readClock(): number {
  return Math.floor(Date.now() / TICK) * TICK
}

/** The clock time of the deadline for an answer; then that of the promise. */
function dueText({ due, isUnanswered }: Ticket, t: ReturnType<typeof useTexts>): string {
  const time = clockText(new Date(due).toISOString())
  return isUnanswered ? t('owner.answerByTime', { time }) : t('owner.ticketDue', { time })
}

/** The time left for an answer; then the time since the order, or after its promise. */
function ageText(ticket: Ticket, now: number, t: ReturnType<typeof useTexts>): string {
  if (ticket.isUnanswered) {
    const minutes = Math.ceil((ticket.due - now) / 60_000)
    return minutes > 0 ? t('owner.answerWithin', { minutes }) : t('owner.answerNow')
  }
  if (urgencyAt(ticket, now) === 'late') return t('owner.lateBy', { minutes: Math.ceil((now - ticket.due) / 60_000) })
  const { createdAt } = ticket.orders[0]
  const minutes = Math.round((now - Date.parse(createdAt)) / 60_000)
  return minutes < 1 || minutes >= 60 ? agoText(createdAt, now) : t('owner.minutes', { count: minutes })
}
