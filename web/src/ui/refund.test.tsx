import { show } from '@test/render'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { priceAfterRefunds, REFUND_REASONS } from './refund'
import { RefundNote } from './RefundNote'

it('says what is refunded and why, and what is under way', async () => {
  show(
    <RefundNote
      refunds={[
        { amount: 300, reason: 'missing_item', isMade: true },
        { amount: 12.5, reason: 'other', isMade: false },
      ]}
    />,
  )
  expect(await screen.findByText('Rs. 300.00 refunded: Missing item')).toBeVisible()
  expect(screen.getByText('Refund of Rs. 12.50 under way')).toBeVisible()
})

it('takes refunds off the price to the cent', () => {
  expect(priceAfterRefunds({ totalAmount: 0.3, refunds: [{ amount: 0.1 }, { amount: 0.2 }] })).toBe(0)
  expect(priceAfterRefunds({ totalAmount: 1250.5, refunds: [{ amount: 300 }] })).toBe(950.5)
  expect(REFUND_REASONS).toHaveLength(6)
})
