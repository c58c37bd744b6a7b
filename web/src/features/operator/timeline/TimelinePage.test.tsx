import { delivered, Writer } from '@test/history'
import { platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'

import type { EventView } from '@/api/generated/types.gen'
import { LiveClient } from '@/lib/live/client'
import { LiveContext } from '@/lib/live/context'
import { paths } from '@/lib/paths'

import { TimelinePage } from './TimelinePage'

const CALL = '*/api/v1/operator/timeline/:order'
const server = platform()

// The map draws on a canvas, which only browsers have.
vi.mock('./DriverMap', () => ({ DriverMap: () => null }))

function visit(order: string) {
  show(<TimelinePage />, paths.operator.timeline(order), '/admin/events/timeline/:orderId')
}

function open(views: EventView[]) {
  server.use(http.get(CALL, () => HttpResponse.json(views)))
  visit('ORD-7K3M9QX2')
}

const slider = () => screen.findByRole('slider', { name: 'Moment' })

it('lists every event, with the latency from its cause, and positions as one row', async () => {
  open(delivered())
  const list = await screen.findByRole('region', { name: 'What happened' })
  const rows = within(list).getAllByRole('row').slice(1)
  expect(rows).toHaveLength(delivered().length - 10)
  expect(within(list).getByText('12ms after order confirmed')).toBeVisible()
  expect(within(list).getByText(/^11 positions until/)).toBeVisible()
  await userEvent.click(screen.getByRole('switch', { name: 'Every position' }))
  expect(within(list).getAllByRole('row').slice(1)).toHaveLength(delivered().length)
})

it('gives the slider the time and the state of the order', async () => {
  open(delivered())
  const playhead = await slider()
  playhead.focus()
  await userEvent.keyboard('{Home}')
  expect(playhead).toHaveAttribute('aria-valuetext', expect.stringContaining('Order Pending, delivery none yet, Rs. 0.00 paid'))
  await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}')
  expect(playhead).toHaveAttribute('aria-valuenow', '11')
  await userEvent.keyboard('{PageUp}')
  expect(playhead).toHaveAttribute('aria-valuenow', '71')
  expect(playhead).toHaveAttribute('aria-valuetext', expect.stringContaining('Order Confirmed, delivery Assigned, Rs. 2,501.00 paid, 1 notification.'))
  await userEvent.keyboard('{End}')
  expect(playhead).toHaveAttribute('aria-valuetext', expect.stringContaining('Order Delivered, delivery Delivered'))
  await userEvent.keyboard('{Home}')
  expect(playhead).toHaveAttribute('aria-valuenow', '0')
})

it('jumps from event to event', async () => {
  open(delivered())
  const playhead = await slider()
  playhead.focus()
  await userEvent.keyboard('{Home}')
  await userEvent.click(screen.getByRole('button', { name: 'Next event' }))
  await userEvent.click(screen.getByRole('button', { name: 'Next event' }))
  expect(playhead).toHaveAttribute('aria-valuenow', '30')
  playhead.focus()
  await userEvent.keyboard('p')
  expect(playhead).toHaveAttribute('aria-valuenow', '0')
})

it('opens at its end, and stays there when more happens', async () => {
  const [before, after] = [delivered().slice(0, -2), delivered()]
  server.use(http.get(CALL, () => HttpResponse.json(before), { once: true }), http.get(CALL, () => HttpResponse.json(after)))
  visit('ORD-7K3M9QX2')
  const playhead = await slider()
  expect(playhead).toHaveAttribute('aria-valuetext', expect.stringContaining('Order Dispatched, delivery On the way'))
  expect(playhead).toHaveAttribute('aria-valuenow', playhead.getAttribute('aria-valuemax'))
  window.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => {
    expect(playhead).toHaveAttribute('aria-valuetext', expect.stringContaining('Order Delivered, delivery Delivered'))
  })
  expect(playhead).toHaveAttribute('aria-valuenow', playhead.getAttribute('aria-valuemax'))
})

it('follows the driver of a delivery under way', async () => {
  const answers = [delivered().slice(0, -8), delivered().slice(0, -2)]
  let asked = 0
  server.use(http.get(CALL, () => HttpResponse.json(answers[asked++])))
  const client = new LiveClient({ url: () => 'ws://localhost/live', token: () => Promise.resolve(null) })
  const watch = vi.spyOn(client, 'watch')
  const page = (
    <LiveContext value={client}>
      <TimelinePage />
    </LiveContext>
  )
  show(page, paths.operator.timeline('ORD-7K3M9QX2'), '/admin/events/timeline/:orderId')
  expect(await screen.findByText(/^5 positions until/)).toBeVisible()
  expect(asked).toBe(1)
  const hear = watch.mock.calls.find(([topic]) => topic === 'delivery:d1')?.[1]
  hear?.({ type: 'position', topic: 'delivery:d1', deliveryId: 'd1', lat: 6.91, lng: 79.85, at: '2026-11-21T10:03:30Z' })
  expect(await screen.findByText(/^11 positions until/)).toBeVisible()
  expect(asked).toBe(2)
})

it('takes its keys as soon as it is there, but not those of a field', async () => {
  open(delivered())
  const playhead = await slider()
  expect(document.body).toHaveFocus()
  await userEvent.keyboard('pp')
  expect(playhead).toHaveAttribute('aria-valuenow', '180')
  await userEvent.keyboard(' ')
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible()
  await userEvent.keyboard(' ')
  expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible()
  await userEvent.keyboard('n')
  expect(playhead).toHaveAttribute('aria-valuenow', '240')
  const before = playhead.getAttribute('aria-valuenow')
  await userEvent.click(screen.getByRole('button', { name: 'Replay live' }))
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'no n or p')
  expect(playhead).toHaveAttribute('aria-valuenow', before)
})

it('names the lines of its checkout, and keeps its share of a payment apart from its own price', async () => {
  const checkout = { checkoutId: '01930000-0000-7000-8000-000000000040' }
  const writer = new Writer()
  writer.write('order.placed', 0, { ...checkout, orderCode: 'ORD-7K3M9QX2', totalAmount: 850 })
  writer.write('payment.captured', 1_000, { ...checkout, amount: 1640, paymentType: 'PayPal' })
  const placed = new Writer()
  placed.write('order.placed', 0, { ...checkout, orderCode: 'ORD-7K3M9QX2', totalAmount: 850 })
  placed.write('order.placed', 0, { ...checkout, orderCode: 'ORD-0THER123', totalAmount: 2430 })
  const asked: URLSearchParams[] = []
  server.use(
    http.get('*/api/v1/operator/events', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(placed.views)
    }),
  )
  open(writer.views)
  expect(await screen.findByText('Rs. 1,640.00, a share of the checkout of Rs. 3,280.00')).toBeVisible()
  expect(screen.getByText('this order costs Rs. 850.00')).toBeVisible()
  expect(screen.getByRole('link', { name: 'ORD-0THER123' })).toHaveAttribute('href', paths.operator.timeline('ORD-0THER123'))
  expect(screen.queryByRole('link', { name: 'ORD-7K3M9QX2' })).toBeNull()
  expect(asked.map((query) => [query.get('q'), query.get('type')])).toEqual([[checkout.checkoutId, 'tiffin.order.placed.v1']])
})

it('names the driver to administrators', async () => {
  signIn({ role: 'admin' })
  server.use(
    http.get('*/api/v1/driver', () => HttpResponse.json([{ _id: 'driver', firstName: 'Ranjan', lastName: 'Selvam' }])),
    http.get('*/api/v1/delivery/*', () => problem(404, 'There is no such delivery.')),
    http.get('*/api/v1/users', () => HttpResponse.json([])),
  )
  open(delivered())
  expect(await screen.findByText('Ranjan Selvam')).toBeVisible()
})

it('masks positions until a reason to reveal them is given', async () => {
  const whole = delivered()
  const hide = (view: EventView) => {
    const { data } = view.event
    if (typeof data !== 'object' || data === null || !('lat' in data)) return view
    return { ...view, event: { ...view.event, data: { ...data, lat: '•••', lng: '•••' } } }
  }
  const reasons: (string | null)[] = []
  server.use(
    http.get(CALL, ({ request }) => {
      const reveal = new URL(request.url).searchParams.get('reveal')
      reasons.push(reveal)
      return HttpResponse.json(reveal === null ? whole.map(hide) : whole)
    }),
  )
  visit('ORD-7K3M9QX2')
  await slider()
  const ask = screen.getByRole('button', { name: 'Show where the driver was' })
  await userEvent.click(ask)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'a complaint')
  await userEvent.click(dialog.getByRole('button', { name: 'Show' }))
  await vi.waitFor(() => {
    expect(ask).not.toBeInTheDocument()
  })
  expect(reasons).toEqual([null, 'a complaint'])
})

it('plays and pauses', async () => {
  open(delivered())
  await slider()
  await userEvent.click(screen.getByRole('radio', { name: '100×' }))
  await userEvent.click(screen.getByRole('button', { name: 'Play' }))
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible()
  await vi.waitFor(async () => {
    expect(Number((await slider()).getAttribute('aria-valuenow'))).toBeGreaterThan(5)
  })
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  expect(screen.getByRole('button', { name: 'Play' })).toBeVisible()
})

it('shows what a chosen event says', async () => {
  server.use(http.get('*/api/v1/*', () => HttpResponse.json([])))
  server.use(http.get('*/api/v1/operator/events/:stream/:seq', () => HttpResponse.json(delivered()[0])))
  server.use(http.get('*/api/v1/operator/streams', () => HttpResponse.json({ streams: [], services: [], deadLetters: 0 })))
  open(delivered())
  await userEvent.click(await screen.findByRole('button', { name: 'order placed' }))
  expect(screen.getByRole('button', { name: 'order placed' })).toHaveAttribute('aria-pressed', 'true')
  expect(await screen.findByRole('heading', { name: 'order placed' })).toBeVisible()
})

it('says that there is no such order, and that it could not be had', async () => {
  server.use(http.get(CALL, () => problem(404, 'There is no such order.')))
  visit('ORD-0')
  expect(await screen.findByText('There is no such order.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Replay live' })).toBeNull()
})

it('asks again when it could not be had', async () => {
  server.use(http.get(CALL, () => problem(503, 'The broker does not answer.'), { once: true }))
  visit('ORD-7K3M9QX2')
  expect(await screen.findByText('The broker does not answer.')).toBeVisible()
  server.use(http.get(CALL, () => HttpResponse.json([])))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Nothing has happened to this order yet.')).toBeVisible()
})
