import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'

import type { Order, PaymentType } from '@/api/generated/types.gen'
import { messageOf, showAtFields } from '@/api/problem'
import { config } from '@/lib/config'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { type TextId, useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { cardSchema } from './card'
import { CardFields } from './CardFields'
import { CardRefused, type StripeCard } from './stripe'
import { StripeCardField } from './StripeCardField'
import { type Payer, usePayCheckout } from './use-pay-checkout'
import type { Balance } from './shares'

const types = {
  Card: 'checkout.card',
  PayPal: 'checkout.payPal',
  'Bank Transfer': 'checkout.bankTransfer',
} as const satisfies Record<PaymentType, TextId>

const hints = {
  PayPal: 'checkout.payPalHint',
  'Bank Transfer': 'checkout.bankTransferHint',
} as const satisfies Partial<Record<PaymentType, TextId>>

/** The types that Stripe takes here; its own field is for cards. */
const stripeTypes: readonly PaymentType[] = ['Card']
const allTypes: readonly PaymentType[] = ['Card', 'PayPal', 'Bank Transfer']

const cardFields = ['cardNumber', 'expiry', 'cvv'] as const

/** Pays the rest of a checkout, with one click for all of its orders. */
export function PaymentForm({ orders, balance }: { orders: Order[]; balance: Balance }) {
  const t = useTexts()
  const navigate = useNavigate()
  const payCheckout = usePayCheckout(async (outcome) => {
    await navigate(paths.home())
    toast.success(t(outcome === 'paid' ? 'checkout.thankYou' : 'checkout.paymentPending'))
  })
  const isStripe = config().stripe !== null
  const offered = isStripe ? stripeTypes : allTypes
  const [type, setType] = useState<PaymentType>('Card')
  const [stripeCard, setStripeCard] = useState<StripeCard | null>(null)
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: valibotResolver(cardSchema),
    defaultValues: { cardNumber: '', expiry: '', cvv: '' },
  })

  const pay = (payer: Payer) => {
    payCheckout.mutate(
      { orders, payer },
      {
        onError: (error) => {
          showAtFields(error, cardFields, setError)
        },
      },
    )
  }
  const submit = handleSubmit((card) => {
    pay({ means: () => ({ paymentType: 'Card', ...card }) })
  })
  const payByStripe = () => {
    if (stripeCard === null) return
    pay({
      means: async () => ({ paymentType: 'Card', cardToken: await stripeCard.token() }),
      confirm: stripeCard.confirm,
    })
  }
  const failure = payCheckout.error instanceof CardRefused ? t('checkout.checkCard') : messageOf(payCheckout.error, t('checkout.paymentFailed'))

  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (type === 'Card' && !isStripe) void submit(event)
        else {
          event.preventDefault()
          if (type === 'Card') payByStripe()
          else pay({ means: () => ({ paymentType: type }) })
        }
      }}
    >
      <Stack gap="md">
        {payCheckout.isError && <FormError>{failure}</FormError>}
        {balance.paid > 0 && (
          <Alert color="amber" role="status">
            {t('checkout.partlyPaid', { paid: moneyText(balance.paid), total: moneyText(balance.cost) })}
          </Alert>
        )}
        {offered.length > 1 && (
          <SegmentedControl
            fullWidth
            size="md"
            radius="xl"
            aria-label={t('checkout.paymentType')}
            value={type}
            onChange={setType}
            data={offered.map((value) => ({ value, label: t(types[value]) }))}
          />
        )}
        {type === 'Card' && isStripe && <StripeCardField onCard={setStripeCard} />}
        {type === 'Card' && !isStripe && <CardFields control={control} errors={formState.errors} />}
        {type !== 'Card' && <Text c="dimmed">{t(hints[type])}</Text>}
        <Button
          type="submit"
          size="lg"
          loading={payCheckout.isPending}
          disabled={type === 'Card' && isStripe && stripeCard === null}
          leftSection={<IconLock size={18} aria-hidden />}
        >
          {t('checkout.pay', { amount: moneyText(balance.left) })}
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          {t(isStripe ? 'checkout.cardByStripe' : 'checkout.cardNotKept')}
        </Text>
      </Stack>
    </form>
  )
}
