import { order, orderList, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'

import type { Order } from '@/api/generated/types.gen'

import { CancelledNotices } from './CancelledNotices'
import { openOrdersQuery } from './orders'

const server = platform()

/** The notices beside a button that fetches the orders again. */
function Probe() {
  const queries = useQueryClient()
  const { data: open } = useQuery(openOrdersQuery())
  return (
    <>
      <button onClick={() => void queries.invalidateQueries({ queryKey: ['orders'] })}>{`${(open ?? []).length} open`}</button>
      <CancelledNotices open={open ?? []} />
    </>
  )
}

const cancelled = (_id: string, by: 'customer' | 'restaurant'): Order =>
  order({ _id, orderId: `ORD-${_id}`, status: 'cancelled', cancellation: { by } })

it('says which orders left the board because a customer cancelled them, until they are seen', async () => {
  signIn({ role: 'restaurant' })
  server.use(orderList([cancelled('EARLIER', 'customer'), order({ _id: 'MINE' }), order({ _id: 'THEIRS' })]))
  show(<Probe />)
  await screen.findByText('2 open')
  expect(screen.queryByTestId('cancelled-notice')).toBeNull()
  server.use(orderList([cancelled('EARLIER', 'customer'), cancelled('MINE', 'restaurant'), cancelled('THEIRS', 'customer')]))
  await userEvent.click(screen.getByRole('button', { name: '2 open' }))
  await screen.findByText('0 open')
  const notice = await screen.findByTestId('cancelled-notice')
  expect(within(notice).getByText(/^ORD-THEIRS was cancelled/)).toBeVisible()
  expect(within(notice).getByText('Cancelled by the customer.')).toBeVisible()
  await userEvent.click(within(notice).getByRole('button', { name: 'Seen: ORD-THEIRS' }))
  expect(screen.queryByTestId('cancelled-notice')).toBeNull()
})
