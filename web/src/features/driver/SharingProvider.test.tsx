import { list, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { LiveClient } from '@/lib/live/client'
import { LiveContext } from '@/lib/live/context'

import { OutboxProvider } from './outbox/OutboxProvider'
import { ShareSwitch } from './ShareSwitch'
import { SharingProvider } from './SharingProvider'

const server = platform()
const client = new LiveClient({ url: () => 'ws://localhost/live', token: () => Promise.resolve(null) })

/** The panel, whose connection is there once the button is pressed. */
function Panel() {
  const [connection, setConnection] = useState<LiveClient | null>(null)
  return (
    <LiveContext value={connection}>
      <button onClick={() => { setConnection(client) }}>Connect</button>
      <OutboxProvider>
        <SharingProvider>
          <ShareSwitch />
        </SharingProvider>
      </OutboxProvider>
    </LiveContext>
  )
}

afterEach(() => {
  sessionStorage.clear()
})

it('sends the first position of a device at rest, though the connection comes later', async () => {
  // At rest: each watch reports once.
  const watchPosition = vi.fn((report: PositionCallback) => {
    const coords = { latitude: 6.9147, longitude: 79.8501, accuracy: 8, altitude: null, altitudeAccuracy: null, heading: null, speed: null }
    report({ timestamp: Date.now(), coords: { ...coords, toJSON: () => coords }, toJSON: () => coords })
    return 1
  })
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { watchPosition, clearWatch: vi.fn() } })
  server.use(list('delivery', [{ _id: 'd1', orderId: 'ORD-AAAA1111', orderName: 'Kottu', status: 'on the way' }]))
  const recorded: unknown[] = []
  server.use(
    http.post('*/api/v1/delivery/positions', async ({ request }) => {
      const body: unknown = await request.json()
      if (typeof body === 'object' && body !== null && 'positions' in body) recorded.push(body.positions)
      return HttpResponse.json({ recorded: 1, repeated: 0, unused: 0 })
    }),
  )
  signIn({ role: 'delivery' })
  show(<Panel />)

  await userEvent.click(await screen.findByRole('switch'))
  await screen.findByText('Waiting for the first position.')
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }))
  // No socket takes it, so it goes by a call.
  await waitFor(() => {
    expect(recorded).toEqual([[expect.objectContaining({ lat: 6.9147, lng: 79.8501, accuracy: 8 })]])
  })
  expect(await screen.findByText(/1 position sent, the last at .+: 6\.91470, 79\.85010\./)).toBeInTheDocument()
})
