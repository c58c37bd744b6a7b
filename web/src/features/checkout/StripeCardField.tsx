import { Text } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'

import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

import classes from './CartPage.module.css'
import { showCard, type StripeCard } from './stripe'
import { useStripe } from './use-stripe'

interface Props {
  /** Gets the card while its field is shown, and null afterwards. */
  onCard: (card: StripeCard | null) => void
}

/** Stripe's own field for number, expiry and security code. What is typed there goes to Stripe alone. */
export function StripeCardField({ onCard }: Props) {
  const t = useTexts()
  const label = useId()
  const stripe = useStripe()
  const place = useRef<HTMLDivElement>(null)
  const api = stripe.data
  useEffect(() => {
    if (api === undefined || place.current === null) return
    const [card, end] = showCard(api, place.current)
    onCard(card)
    return () => {
      onCard(null)
      end()
    }
  }, [api, onCard])
  if (stripe.isError && !stripe.isFetching) return <Failure message={t('checkout.cardFieldFailed')} retry={() => void stripe.refetch()} />
  if (api === undefined) return <Loading text={t('checkout.cardFieldLoading')} />
  return (
    <div role="group" aria-labelledby={label}>
      <Text size="sm" fw={500} mb={4} id={label}>
        {t('checkout.card')}
      </Text>
      <div ref={place} className={classes.stripe} data-testid="stripe-card" />
    </div>
  )
}
