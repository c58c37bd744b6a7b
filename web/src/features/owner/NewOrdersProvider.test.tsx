import { order, orderList, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { useQueryClient } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { use } from 'react'
import { expect, it } from 'vitest'

import { TitleBadge } from '@/ui/Page'

import { useNewOrders } from './new-orders'
import { NewOrdersProvider } from './NewOrdersProvider'

const server = platform()

/** Shows the number of pending orders and which are new, and fetches the orders again at a click. */
function Probe() {
  const queries = useQueryClient()
  return (
    <button onClick={() => void queries.invalidateQueries({ queryKey: ['orders'] })}>
      {`${use(TitleBadge).toString()} pending, new: ${[...useNewOrders()].join(' ')}`}
    </button>
  )
}

it('announces an order once, also where it was delivered and taken back', async () => {
  signIn({ role: 'restaurant' })
  // A touch would unlock sound, which only browsers have.
  const fetchAgain = (...ids: string[]) => {
    server.use(orderList(ids.map((_id) => order({ _id }))))
    fireEvent.click(screen.getByRole('button', { name: /pending/ }))
  }
  server.use(orderList([order({ _id: 'a1' })]))
  show(
    <NewOrdersProvider>
      <Probe />
    </NewOrdersProvider>,
  )
  await screen.findByText('1 pending, new:')
  fetchAgain('a1', 'a2')
  await screen.findByText('2 pending, new: a2')
  fetchAgain('a1')
  await screen.findByText('1 pending, new: a2')
  fetchAgain('a1', 'a2', 'a3')
  expect(await screen.findByText('3 pending, new: a3')).toBeVisible()
})
