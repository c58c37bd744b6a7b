import { Text } from '@mantine/core'

import { type TextId, useTexts } from '@/lib/texts'

import type { Cancellation, CancelReason } from './cancellation'

const sentences: Record<Exclude<CancelReason, 'other'>, TextId> = {
  sold_out: 'cancellation.whySoldOut',
  closing_early: 'cancellation.whyClosingEarly',
  too_busy: 'cancellation.whyTooBusy',
  out_of_reach: 'cancellation.whyOutOfReach',
  customer_asked: 'cancellation.whyCustomerAsked',
}

const sides: Record<Cancellation['by'], TextId> = {
  customer: 'cancellation.byCustomer',
  restaurant: 'cancellation.byRestaurant',
  administrator: 'cancellation.byAdministrator',
  deadline: 'cancellation.byDeadline',
}

interface Props {
  /** Missing of an order that was cancelled before reasons were kept. */
  cancellation: Cancellation | null | undefined
  reader: 'customer' | 'staff'
}

/** The side that cancelled an order, the reason and the note; for the customer also where the money goes. */
export function CancellationNote({ cancellation, reader }: Props) {
  const t = useTexts()
  if (cancellation == null) return null
  const { by, reason, note } = cancellation
  const isCustomer = reader === 'customer'
  const said = [t(isCustomer && by === 'customer' ? 'cancellation.byYou' : sides[by])]
  if (reason != null && reason !== 'other') {
    said.push(t(isCustomer && reason === 'customer_asked' ? 'cancellation.whyYouAsked' : sentences[reason]))
  }
  return (
    <div data-testid="cancellation">
      <Text size="sm">{said.join(' ')}</Text>
      {note != null && note !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          “{note}”
        </Text>
      )}
      {isCustomer && (
        <Text size="sm" c="dimmed">
          {t('cancellation.moneyBack')}
        </Text>
      )}
    </div>
  )
}
