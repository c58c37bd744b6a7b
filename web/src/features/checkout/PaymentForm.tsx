import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'

import type { Order, PaymentType } from '@/api/generated/types.gen'
import { messageOf, showAtFields } from '@/api/problem'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { type TextId, useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { cardSchema } from './card'
import { CardFields } from './CardFields'
import { type PaymentMeans, usePayCheckout } from './use-pay-checkout'
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

const cardFields = ['cardNumber', 'expiry', 'cvv'] as const

/** Pays the rest of a checkout, with one click for all of its orders. */
export function PaymentForm({ orders, balance }: { orders: Order[]; balance: Balance }) {
  const t = useTexts()
  const navigate = useNavigate()
  const payCheckout = usePayCheckout(async (outcome) => {
    await navigate(paths.home())
    toast.success(t(outcome === 'paid' ? 'checkout.thankYou' : 'checkout.paymentPending'))
  })
  const [type, setType] = useState<PaymentType>('Card')
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: valibotResolver(cardSchema),
    defaultValues: { cardNumber: '', expiry: '', cvv: '' },
  })

  const pay = (means: PaymentMeans) => {
    payCheckout.mutate(
      { orders, means },
      {
        onError: (error) => {
          showAtFields(error, cardFields, setError)
        },
      },
    )
  }
  const submit = handleSubmit((card) => {
    pay({ paymentType: 'Card', ...card })
  })

  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (type === 'Card') void submit(event)
        else {
          event.preventDefault()
          pay({ paymentType: type })
        }
      }}
    >
      <Stack gap="md">
        {payCheckout.isError && <FormError>{messageOf(payCheckout.error, t('checkout.paymentFailed'))}</FormError>}
        {balance.paid > 0 && (
          <Alert color="amber" role="status">
            {t('checkout.partlyPaid', { paid: moneyText(balance.paid), total: moneyText(balance.cost) })}
          </Alert>
        )}
        <SegmentedControl
          fullWidth
          size="md"
          radius="xl"
          aria-label={t('checkout.paymentType')}
          value={type}
          onChange={setType}
          data={[
            { value: 'Card', label: t(types.Card) },
            { value: 'PayPal', label: t(types.PayPal) },
            { value: 'Bank Transfer', label: t(types['Bank Transfer']) },
          ]}
        />
        {type === 'Card' ? <CardFields control={control} errors={formState.errors} /> : <Text c="dimmed">{t(hints[type])}</Text>}
        <Button type="submit" size="lg" loading={payCheckout.isPending} leftSection={<IconLock size={18} aria-hidden />}>
          {t('checkout.pay', { amount: moneyText(balance.left) })}
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          {t('checkout.cardNotKept')}
        </Text>
      </Stack>
    </form>
  )
}
