import { IDBFactory } from 'fake-indexeddb'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { Problem } from '@/api/problem'
import { deleteDriverOutbox } from '@/lib/driver-outbox'
import type { DevicePosition } from '@/lib/live/frames'

import { Outbox } from './outbox'
import { type KeptChange, OutboxStore } from './store'

const sendPositions = vi.fn<(positions: DevicePosition[]) => Promise<unknown>>()
const sendChange = vi.fn<(change: KeptChange) => Promise<unknown>>()
const onSent = vi.fn<(change: KeptChange) => void>()
const onRefused = vi.fn<(change: KeptChange, error: unknown) => void>()
const opened: Outbox[] = []

function open(userId = 'u1'): Outbox {
  const outbox = new Outbox({ userId, sendPositions, sendChange, onSent, onRefused })
  opened.push(outbox)
  return outbox
}

/** A position of so many seconds ago. */
function position(secondsAgo: number): DevicePosition {
  return { lat: 6.9 - secondsAgo / 10_000, lng: 79.85, at: new Date(Date.now() - secondsAgo * 1000).toISOString() }
}

/** Locks as a browser has them: one holder of a name at a time, the others in line. */
function fakeLocks() {
  const queues = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) => {
      const turn = (queues.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : hold()))
      queues.set(name, turn)
      return turn
    },
  }
}

const goOnline = (isOnline: boolean) => {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline })
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() })
  for (const send of [sendPositions, sendChange]) send.mockReset().mockResolvedValue(undefined)
  onSent.mockReset()
  onRefused.mockReset()
})

afterEach(() => {
  for (const outbox of opened.splice(0)) outbox.stop()
  goOnline(true)
  vi.unstubAllGlobals()
})

it('keeps what was not sent when the tab is killed, and sends it once: positions newest first, changes in order', async () => {
  goOnline(false)
  const killed = open()
  const positions = Array.from({ length: 120 }, (_, second) => position(second))
  for (const one of [...positions].reverse()) killed.keepPosition(one, false)
  await killed.keepChanges([{ deliveryId: 'd1', orderId: 'ORD-1', status: 'on the way' }])
  await killed.keepChanges([{ deliveryId: 'd1', orderId: 'ORD-1', status: 'delivered' }])
  await waitFor(() => expect(killed.state()).toMatchObject({ waiting: 120, since: positions[119]?.at, isHeld: true }))
  expect(sendPositions).not.toHaveBeenCalled()
  killed.stop()

  goOnline(true)
  const outbox = open()
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(2))
  expect(sendChange.mock.calls.map(([{ status }]) => status)).toEqual(['on the way', 'delivered'])
  await waitFor(() => expect(sendPositions).toHaveBeenCalledTimes(1))
  const sent = sendPositions.mock.calls.flatMap(([batch]) => batch)
  expect(sent).toEqual(positions.slice(0, 100))
  // A call that carries fewer than a hundred waits for its turn.
  await waitFor(() => expect(outbox.state()).toMatchObject({ waiting: 20, changes: [], sent: 100, last: positions[0] }))
})

it('sends what got no answer again, with the same key', async () => {
  sendChange.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  sendPositions.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const outbox = open()
  const seen: unknown[] = []
  outbox.subscribe(() => seen.push(outbox.state()))
  outbox.keepPosition(position(1), false)
  await outbox.keepChanges([{ deliveryId: 'd1', orderId: 'ORD-1', status: 'delivered' }])
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1))
  expect(seen).toContainEqual(expect.objectContaining({ changes: [expect.objectContaining({ orderId: 'ORD-1' })], isHeld: true }))
  const keys = sendChange.mock.calls.map(([{ key }]) => key)
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  await waitFor(() => expect(outbox.state()).toMatchObject({ changes: [], isHeld: false }))
})

it('drops a refused change, says so, and goes on with the next', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const refusal = new Problem(404, { status: 404, message: 'There is no such delivery.' })
  sendChange.mockRejectedValueOnce(refusal)
  const outbox = open()
  await outbox.keepChanges([
    { deliveryId: 'd1', orderId: 'ORD-1', status: 'delivered' },
    { deliveryId: 'd2', orderId: 'ORD-2', status: 'delivered' },
  ])
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1))
  expect(onRefused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ orderId: 'ORD-1' }), refusal)
  expect(onSent).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ orderId: 'ORD-2' }))
  await waitFor(() => expect(outbox.state().changes).toEqual([]))
})

it('forgets a position that came back over the socket, and sends no call for it', async () => {
  const outbox = open()
  const one = position(1)
  outbox.keepPosition(one, true)
  expect(outbox.state()).toMatchObject({ sent: 1, last: one })
  // As the bridge writes it.
  outbox.acknowledge(one.at.replace(/0*Z$/, 'Z').replace('.Z', 'Z'))
  await waitFor(async () => expect(await (await OutboxStore.open('u1')).summary()).toEqual({ count: 0, since: null }))
  expect(sendPositions).not.toHaveBeenCalled()
})

it('lets one of several tabs send, and another after it is closed', async () => {
  const [first, second] = [open(), open()]
  await second.keepChanges([{ deliveryId: 'd1', orderId: 'ORD-1', status: 'on the way' }])
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1))
  expect(sendChange).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(second.state().changes).toEqual([]))
  first.stop()
  await second.keepChanges([{ deliveryId: 'd1', orderId: 'ORD-1', status: 'delivered' }])
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(2))
  expect(sendChange).toHaveBeenCalledTimes(2)
})

it('never sends what another account left', async () => {
  goOnline(false)
  const former = open('u1')
  former.keepPosition(position(1), false)
  await former.keepChanges([{ deliveryId: 'd1', orderId: 'ORD-1', status: 'delivered' }])
  await waitFor(() => expect(former.state().waiting).toBe(1))
  former.stop()
  goOnline(true)
  const outbox = open('u2')
  await outbox.keepChanges([{ deliveryId: 'd2', orderId: 'ORD-2', status: 'delivered' }])
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1))
  expect(sendChange.mock.calls.map(([{ orderId }]) => orderId)).toEqual(['ORD-2'])
  expect(sendPositions).not.toHaveBeenCalled()
  expect(await (await OutboxStore.open('u1')).summary()).toEqual({ count: 0, since: null })
})

it('is empty after signing out, though another tab has it open', async () => {
  const store = await OutboxStore.open('u1')
  await store.keepPosition(position(1))
  deleteDriverOutbox()
  expect(await (await OutboxStore.open('u1')).summary()).toEqual({ count: 0, since: null })
})

it('keeps a day of positions, and a bounded number', async () => {
  const store = await OutboxStore.open('u1', 10)
  await store.keepPosition(position(25 * 60 * 60))
  await store.keepPosition(position(60))
  await store.dropOld(Date.now())
  expect((await store.summary()).count).toBe(1)
  for (const seconds of [70, 69, 68, 67, 66, 65, 64, 63, 62]) await store.keepPosition(position(seconds))
  const newest = position(0)
  await store.keepPosition(newest)
  expect((await store.summary()).count).toBe(10)
  expect(await store.newestPositions(1, new Set())).toEqual([newest])
})

it('sends changes at once where the device can keep none', async () => {
  vi.spyOn(OutboxStore, 'open').mockRejectedValue(new Error('no store'))
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const outbox = open()
  const changes = ['d1', 'd2'].map((deliveryId) => ({ deliveryId, orderId: 'ORD-1', status: 'delivered' as const }))
  await outbox.keepChanges(changes)
  expect(onSent.mock.calls.map(([{ deliveryId }]) => deliveryId)).toEqual(['d1', 'd2'])
  sendChange.mockRejectedValueOnce(new Error('no network'))
  await expect(outbox.keepChanges(changes)).rejects.toThrow('no network')
  expect(sendChange).toHaveBeenCalledTimes(3)
  expect(logged).toHaveBeenCalled()
})
