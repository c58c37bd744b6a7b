import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { checkoutOrdersQuery } from '@/api/operator'
import { Fact } from '@/features/operator/Fact'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { secondText } from './format-time'
import { checkoutOf, type OrderState, paidOf } from './state'

/** The order's payments: shares of its checkout, which other orders may be part of. */
export function PaymentFacts({ state }: { state: OrderState }) {
  const t = useTexts()
  const { checkoutId, placedAt, code, payments, total } = state
  const { data } = useQuery({ ...checkoutOrdersQuery(checkoutId ?? '', placedAt ?? 0), enabled: checkoutId !== null && placedAt !== null })
  const checkout = checkoutOf(data ?? [])
  const others = checkout.codes.filter((one) => one !== code)
  const paid = moneyText(paidOf(state))
  // Until the checkout is known, a share and the order's own price are not set against each other.
  const isAlone = checkoutId === null || (data !== undefined && others.length === 0)
  return (
    <>
      <Fact label={t('operator.timelinePaid')}>
        {isAlone
          ? t('operator.timelinePaidOf', { paid, total: moneyText(total) })
          : others.length === 0
            ? paid
            : t('operator.timelinePaidShare', { paid, checkout: moneyText(checkout.total) })}
        {!isAlone && <small>{t('operator.timelineCosts', { total: moneyText(total) })}</small>}
        {payments.map(({ id, means, at, state }) => (
          <small key={id}>{t('operator.timelinePayment', { means, time: secondText(at), state })}</small>
        ))}
      </Fact>
      {others.length > 0 && (
        <Fact label={t('operator.timelineCheckout')}>
          {others.map((other) => (
            <Anchor key={other} component={Link} to={paths.operator.timeline(other)} inherit display="block">
              {other}
            </Anchor>
          ))}
        </Fact>
      )}
    </>
  )
}
