import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { backoff } from './backoff'
import { LiveClient } from './client'
import type { DevicePosition, TopicFrame } from './frames'

/** A websocket whose other end is the test. */
class FakeSocket {
  static all: FakeSocket[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  closed = false
  readonly sent: unknown[] = []

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }

  send(text: string) {
    this.sent.push(JSON.parse(text))
  }

  close() {
    this.closed = true
  }

  /** Lets the client in. */
  accept(expiresIn = 900_000) {
    this.onopen?.()
    this.receive({ type: 'ready', userId: 'u1', expiresAt: new Date(Date.now() + expiresIn).toISOString() })
  }

  receive(frame: unknown) {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) })
  }

  fail() {
    this.onclose?.({ code: 1006 })
  }

  of(type: string) {
    return this.sent.filter((frame) => typeof frame === 'object' && frame !== null && 'type' in frame && frame.type === type)
  }
}

const DELIVERY = 'delivery:d1'
const token = vi.fn<(renew: boolean) => Promise<string | null>>()
let client: LiveClient

function newest(): FakeSocket {
  const socket = FakeSocket.all.at(-1)
  if (socket === undefined) throw new Error('no socket was opened')
  return socket
}

async function connected(): Promise<FakeSocket> {
  client.start()
  await vi.advanceTimersByTimeAsync(0)
  newest().accept()
  return newest()
}

function position(second: number) {
  return { type: 'position', topic: DELIVERY, deliveryId: 'd1', lat: 6.9, lng: 79.86, at: `2026-11-21T10:00:0${second}Z` }
}

function status(seq: number) {
  const event = { id: `e${seq}`, type: 'tiffin.delivery.on_the_way.v1', subject: 'd1', time: '2026-11-21T10:00:00Z', data: {} }
  return { type: 'event', topic: DELIVERY, seq, event }
}

function devicePosition(second: number): DevicePosition {
  return { lat: 6.9, lng: 79.86, at: new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString() }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all = []
  token.mockResolvedValue('token')
  client = new LiveClient({ url: () => 'ws://test/live', token })
})

afterEach(() => {
  client.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the live client', () => {
  it('signs in with its first frame and is live once the bridge is ready', async () => {
    const socket = await connected()
    expect(socket.sent).toEqual([{ type: 'auth', token: 'token' }])
    expect(client.state()).toBe('live')
  })

  it('watches a topic once for many watchers, and unwatches it with the last', async () => {
    const socket = await connected()
    const leave = [client.watch(DELIVERY, vi.fn()), client.watch(DELIVERY, vi.fn())]
    leave[0]?.()
    expect(socket.of('watch')).toEqual([{ type: 'watch', topic: DELIVERY }])
    expect(socket.of('unwatch')).toEqual([])
    leave[1]?.()
    leave[1]?.()
    expect(socket.of('unwatch')).toEqual([{ type: 'unwatch', topic: DELIVERY }])
  })

  it('gives the last position to a later watcher of a topic', async () => {
    const socket = await connected()
    client.watch(DELIVERY, vi.fn())
    socket.receive(position(1))
    const late = vi.fn()
    client.watch(DELIVERY, late)
    expect(late).toHaveBeenCalledWith(expect.objectContaining({ at: '2026-11-21T10:00:01Z' }))
  })

  it('comes back after a loss and resumes each topic after the last event seen', async () => {
    const socket = await connected()
    const frames: TopicFrame[] = []
    client.watch(DELIVERY, (frame) => frames.push(frame))
    socket.receive({ type: 'watching', topic: DELIVERY })
    socket.receive(status(41))
    socket.fail()
    expect(client.state()).toBe('lost')

    await vi.advanceTimersByTimeAsync(500)
    const next = newest()
    expect(next).not.toBe(socket)
    next.accept()
    expect(client.state()).toBe('live')
    expect(next.of('watch')).toEqual([{ type: 'watch', topic: DELIVERY, after: 41 }])

    next.receive({ type: 'watching', topic: DELIVERY })
    next.receive(status(41))
    next.receive(status(42))
    expect(frames.filter((frame) => frame.type === 'event').map((frame) => frame.seq)).toEqual([41, 42])
    expect(frames.filter((frame) => frame.type === 'watching').map((frame) => frame.again)).toEqual([false, true])
  })

  it('comes back some time within two and a half seconds where the bridge shuts down', async () => {
    for (const [chance, wait] of [
      [0, 250],
      [0.99, 2477],
    ] as const) {
      const socket = await connected()
      vi.spyOn(Math, 'random').mockReturnValue(chance)
      socket.onclose?.({ code: 1001 })
      const before = FakeSocket.all.length
      await vi.advanceTimersByTimeAsync(wait - 10)
      expect(FakeSocket.all).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(20)
      expect(FakeSocket.all).toHaveLength(before + 1)
      client.stop()
      vi.mocked(Math.random).mockRestore()
    }
  })

  it('renews up to a minute earlier, by chance, so that sockets opened together do not renew together', async () => {
    for (const [chance, renewal] of [
      [0, 870_000],
      [1, 810_000],
    ] as const) {
      vi.spyOn(Math, 'random').mockReturnValue(chance)
      await connected()
      const before = FakeSocket.all.length
      for (let second = 0; second < renewal / 1000 - 1; second += 10) {
        newest().receive({ type: 'watching', topic: 'me' })
        await vi.advanceTimersByTimeAsync(Math.min(10_000, renewal - 1000 - second * 1000))
      }
      expect(FakeSocket.all).toHaveLength(before)
      newest().receive({ type: 'watching', topic: 'me' })
      await vi.advanceTimersByTimeAsync(2000)
      expect(FakeSocket.all).toHaveLength(before + 1)
      client.stop()
      vi.mocked(Math.random).mockRestore()
    }
  })

  it('waits longer after each failure, and not at all when the network is back', async () => {
    client.start()
    await vi.advanceTimersByTimeAsync(0)
    for (let attempt = 0; attempt < 8; attempt += 1) {
      newest().fail()
      await vi.advanceTimersByTimeAsync(15_000)
    }
    newest().fail()
    const before = FakeSocket.all.length
    await vi.advanceTimersByTimeAsync(100)
    expect(FakeSocket.all).toHaveLength(before)
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(FakeSocket.all).toHaveLength(before + 1)
  })

  it('takes a new token when the old one is refused, and keeps it when the bridge is down', async () => {
    client.start()
    await vi.advanceTimersByTimeAsync(0)
    newest().fail()
    await vi.advanceTimersByTimeAsync(500)
    expect(token).toHaveBeenLastCalledWith(false)
    newest().onopen?.()
    newest().fail()
    await vi.advanceTimersByTimeAsync(1000)
    expect(token).toHaveBeenLastCalledWith(true)
  })

  it('changes its socket before the token ends, without being lost', async () => {
    client.start()
    await vi.advanceTimersByTimeAsync(0)
    newest().accept(120_000)
    const states: string[] = []
    client.subscribe(() => states.push(client.state()))
    for (let second = 0; second < 100 && FakeSocket.all.length === 1; second += 1) {
      newest().receive({ type: 'watching', topic: 'me' })
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(token).toHaveBeenLastCalledWith(true)
    newest().accept()
    expect(states).not.toContain('lost')
    expect(client.state()).toBe('live')
  })

  it('asks for a sign of life in silence and gives up after 45 seconds', async () => {
    const socket = await connected()
    client.watch('me', vi.fn())
    await vi.advanceTimersByTimeAsync(30_000)
    expect(socket.of('watch')).toHaveLength(2)
    expect(client.state()).toBe('live')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(socket.closed).toBe(true)
    expect(FakeSocket.all.length).toBeGreaterThan(1)
  })

  it('ignores rubbish and stays', async () => {
    const socket = await connected()
    const handler = vi.fn()
    client.watch(DELIVERY, handler)
    for (const rubbish of ['', 'nonsense', '[]', '{"type":"unheard of"}', '{"type":"position","topic":"delivery:d1","lat":"6"}']) {
      socket.receive(rubbish)
    }
    socket.receive({ ...position(1), lat: 191 })
    expect(handler).not.toHaveBeenCalled()
    socket.receive(position(2))
    expect(handler).toHaveBeenCalledOnce()
    expect(client.state()).toBe('live')
  })

  it('reports a refused topic and asks again a few times, for the right may be a moment late', async () => {
    const socket = await connected()
    const handler = vi.fn()
    client.watch(DELIVERY, handler)
    const refused = { type: 'refused', topic: DELIVERY, code: 'live.not-allowed', message: 'This delivery is not yours.' }
    socket.receive(refused)
    expect(handler).toHaveBeenCalledWith(refused)
    await vi.advanceTimersByTimeAsync(1000)
    expect(socket.of('watch')).toHaveLength(2)
    for (let time = 0; time < 10; time += 1) {
      socket.receive(refused)
      await vi.advanceTimersByTimeAsync(20_000)
      socket.receive({ type: 'watching', topic: 'me' })
    }
    expect(newest().of('watch').length).toBeLessThanOrEqual(10)
  })

  it('does not send more than the bridge takes in a second', async () => {
    const socket = await connected()
    for (let n = 0; n < 40; n += 1) client.watch(`delivery:${n}`, vi.fn())
    expect(socket.sent.length).toBeLessThanOrEqual(16)
    await vi.advanceTimersByTimeAsync(3000)
    expect(socket.of('watch')).toHaveLength(40)
  })
})

describe('positions of this device', () => {
  it('leave at once while live', async () => {
    const socket = await connected()
    expect(client.sendPosition(devicePosition(1))).toBe(true)
    expect(socket.of('position')).toEqual([{ type: 'position', ...devicePosition(1) }])
  })

  it('are not taken without a connection, nor sent on the next one', async () => {
    const socket = await connected()
    socket.fail()
    expect(client.sendPosition(devicePosition(1))).toBe(false)
    await vi.advanceTimersByTimeAsync(500)
    newest().accept()
    expect(newest().of('position')).toEqual([])
    expect(client.sendPosition(devicePosition(2))).toBe(true)
  })

  it('make the client probe more often', async () => {
    const socket = await connected()
    client.sendPosition(devicePosition(1))
    await vi.advanceTimersByTimeAsync(7000)
    expect(socket.of('watch')).toEqual([{ type: 'watch', topic: 'me' }])
    socket.receive({ type: 'watching', topic: 'me' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(socket.of('watch')).toHaveLength(1)
  })
})

it('backs off from half a second to fifteen', () => {
  expect([1, 2, 3, 6, 30].map((failures) => backoff(failures, () => 1))).toEqual([500, 1000, 2000, 8_000, 8_000])
  expect(backoff(1, () => 0)).toBe(250)
})
