import { delivery, list, order, orderList, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { use } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { TitleBadge } from '@/ui/Page'

import { useNewOrders } from './new-orders'
import { NewOrdersProvider } from './NewOrdersProvider'

const server = platform()

/** Shows the number of pending orders and which are new, and fetches the orders again at a click. */
function Probe() {
  const queries = useQueryClient()
  return (
    <button onClick={() => void queries.invalidateQueries()}>
      {`${use(TitleBadge).toString()} pending, new: ${[...useNewOrders()].join(' ')}`}
    </button>
  )
}

/** The notes that began. */
let notes = 0

/** As much of a browser's sound as a bell needs. */
function letSound() {
  notes = 0
  class Part {
    currentTime = 0
    gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} }
    connect(to: unknown) {
      return to
    }
    start() {
      notes += 1
    }
    stop() {}
    async resume() {}
  }
  for (const name of ['AudioContext', 'GainNode', 'OscillatorNode']) vi.stubGlobal(name, Part)
}

/** The panel at a time of the day, touched, so that it may sound. */
async function panelAt(time: string) {
  vi.useFakeTimers({ now: Date.parse(`2026-11-21T${time}:00Z`), shouldAdvanceTime: true })
  show(
    <NewOrdersProvider>
      <Probe />
    </NewOrdersProvider>,
  )
  fireEvent.pointerDown(await screen.findByRole('button', { name: /pending/ }))
}

async function pass(minutes: number) {
  await act(async () => { await vi.advanceTimersByTimeAsync(minutes * 60_000) })
}

beforeEach(() => {
  signIn({ role: 'restaurant' })
  server.use(list('delivery', []))
  letSound()
})
afterEach(() => {
  vi.useRealTimers()
  notifications.clean()
})

it('announces an order once, also where it was delivered and taken back', async () => {
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

it('reminds of orders without an answer after half and three quarters of the time, by a bell and a message', async () => {
  const waits = { createdAt: '2026-11-21T10:00:00Z', answerBy: '2026-11-21T10:20:00Z' }
  server.use(orderList([order(waits), order({ ...waits, _id: 'x2', orderId: 'ORD-BBBB2222' })]))
  await panelAt('10:01')
  await screen.findByText('2 pending, new:')
  await pass(8)
  expect(notes).toBe(0)
  await pass(1)
  expect(await screen.findByText('2 orders wait for your answer.')).toBeVisible()
  expect(notes).toBe(3)
  await pass(5)
  expect(notes).toBe(6)
  expect(await screen.findByText('2 orders wait for your answer.')).toBeVisible()
  await pass(60)
  expect(notes).toBe(6)
})

it('announces a ticket that passes its promise, once', async () => {
  const assigned = { assignedDriver: 'd1', createdAt: '2026-11-21T10:00:00Z' }
  const one = order({ ...assigned, status: 'confirmed' })
  // Late already, and promised for later: neither is announced now.
  const late = order({ ...assigned, _id: 'x2', orderId: 'ORD-BBBB2222', checkoutId: 'c2', status: 'preparing', createdAt: '2026-11-21T09:00:00Z' })
  const next = order({ ...assigned, _id: 'x3', orderId: 'ORD-CCCC3333', checkoutId: 'c3', status: 'preparing' })
  server.use(
    orderList([one, late, next]),
    list('delivery', [delivery({ orderId: 'ORD-CCCC3333', promisedTime: '2026-11-21T10:50:00Z' })]),
  )
  await panelAt('10:28')
  await screen.findByText('0 pending, new:')
  await pass(1)
  expect(notes).toBe(0)
  await pass(1)
  expect(await screen.findByText('ORD-AAAA1111 is past its promised time.')).toBeVisible()
  expect(notes).toBe(3)

  // A later step of the same ticket, still late.
  server.use(orderList([order({ ...one, status: 'preparing' }), late, next]))
  fireEvent.click(screen.getByRole('button', { name: /pending/ }))
  await pass(19)
  expect(notes).toBe(3)
  expect(screen.queryByText(/promised time/)).toBeNull()
  await pass(1)
  expect(await screen.findByText('ORD-CCCC3333 is past its promised time.')).toBeVisible()
  expect(notes).toBe(6)
})
