import { isProblem } from '@/api/problem'
import { backoff } from '@/lib/live/backoff'
import type { DevicePosition } from '@/lib/live/frames'

import { holdLock } from './lock'
import { type KeptChange, OutboxStore } from './store'

/** The most positions of one call. */
const PER_CALL = 100
/** The shortest time between calls that carry fewer, in milliseconds: the platform takes 240 calls an hour. */
const CALL_INTERVAL = 20_000
/** The time within which a position comes back over the socket, in milliseconds. Later it goes by a call. */
const ACKNOWLEDGE_TIMEOUT = 10_000
/** The wait after too many calls, in milliseconds. */
const LIMIT_PAUSE = 60_000
/** Names the lock of the tab that sends, and the channel on which tabs notify each other. */
const NAME = 'driver-outbox'

/** The state of what this device has sent and has yet to send. */
export interface OutboxState {
  /** The number of positions that left this device. */
  sent: number
  /** The newest of those. */
  last: DevicePosition | null
  /** The number of positions that wait, and the time of the oldest. */
  waiting: number
  since: string | null
  /** The status changes that wait, oldest first. */
  changes: KeptChange[]
  /** True while the platform can't be reached. */
  isHeld: boolean
}

export const emptyOutbox: OutboxState = { sent: 0, last: null, waiting: 0, since: null, changes: [], isHeld: false }

interface OutboxOptions {
  userId: string
  sendPositions: (positions: DevicePosition[]) => Promise<unknown>
  sendChange: (change: KeptChange) => Promise<unknown>
  /** Called before a change is forgotten. */
  onSent: (change: KeptChange) => void
  onRefused: (change: KeptChange, error: unknown) => void
}

/** Keeps a driver's positions and status changes until the platform has them: positions newest first, changes in order. */
export class Outbox {
  /** Settles once the store is open, or can't be opened. */
  readonly opened: Promise<unknown>
  readonly #options: OutboxOptions
  readonly #store: Promise<OutboxStore>
  readonly #listeners = new Set<() => void>()
  readonly #stopped = new AbortController()
  readonly #channel = new BroadcastChannel(NAME)
  /** The times of positions that were handed to the socket, with the moment of it. */
  readonly #onSocket = new Map<string, number>()
  #state = emptyOutbox
  #leads = false
  #isSending = false
  #isWanted = false
  #failures = 0
  #calledAt = 0
  #timer: { handle: ReturnType<typeof setTimeout>; due: number } | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#store = OutboxStore.open(options.userId)
    this.opened = this.#store
    this.#channel.onmessage = () => this.#run(this.#refresh().then(() => this.flush()))
    window.addEventListener('online', this.#onOnline, { signal: this.#stopped.signal })
    window.addEventListener('offline', this.#onOffline, { signal: this.#stopped.signal })
    this.#run(this.#refresh())
    holdLock(NAME, this.#stopped.signal, () => {
      this.#leads = true
      this.flush()
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): OutboxState => this.#state

  stop(): void {
    this.#stopped.abort()
    this.#leads = false
    clearTimeout(this.#timer?.handle)
    this.#channel.close()
    void this.#store.then((store) => store.close(), () => {})
  }

  /** Keeps a position until it is acknowledged; one that is on the socket gets time to come back. */
  keepPosition(position: DevicePosition, isOnSocket: boolean): void {
    if (isOnSocket) {
      this.#onSocket.set(position.at, Date.now())
      this.#count([position])
    }
    this.#run(this.#write((store) => store.keepPosition(position)).then(() => this.#schedule(isOnSocket ? ACKNOWLEDGE_TIMEOUT : 0)))
  }

  /** Forgets a position that came back over the socket. */
  acknowledge(at: string): void {
    const time = new Date(at).toISOString()
    if (this.#onSocket.delete(time)) this.#run(this.#write((store) => store.forgetPositions([time])))
  }

  /** Keeps changes of one moment, and sends them as soon as possible. A device that can't keep them sends them at once. */
  async keepChanges(changes: readonly Omit<KeptChange, 'userId' | 'key' | 'at'>[]): Promise<void> {
    const at = new Date().toISOString()
    const made = changes.map((change) => ({ ...change, at, key: crypto.randomUUID() }))
    const canKeep = await this.#store.then(() => true, () => false)
    if (!canKeep) return this.#sendUnkept(made.map((change) => ({ ...change, userId: this.#options.userId })))
    await this.#write((store) => store.keepChanges(made))
    this.flush()
  }

  /** Sends changes that are not kept; the one that fails says so, and those after it are not sent. */
  async #sendUnkept(changes: KeptChange[]): Promise<void> {
    for (const change of changes) {
      await this.#options.sendChange(change)
      this.#options.onSent(change)
    }
  }

  /** Sends everything that waits, if this is the tab that sends. */
  readonly flush = (): void => {
    this.#isWanted = true
    if (this.#leads && !this.#isSending && navigator.onLine) this.#run(this.#send())
  }

  async #send(): Promise<void> {
    this.#isSending = true
    try {
      const store = await this.#store
      while (this.#isWanted && this.#leads) {
        this.#isWanted = false
        // A change does not wait for positions that come too often.
        const [positions] = await Promise.allSettled([this.#sendPositions(store)])
        await this.#sendChanges(store)
        if (positions.status === 'rejected') throw positions.reason
      }
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      this.#schedule(isProblem(error) && error.status === 429 ? LIMIT_PAUSE : backoff(this.#failures))
      if (isProblem(error)) console.warn('The outbox waits.', error)
    } finally {
      this.#isSending = false
      await this.#refresh()
    }
  }

  /** Sends the newest positions in one call. */
  async #sendPositions(store: OutboxStore): Promise<void> {
    await store.dropOld(Date.now())
    const positions = await store.newestPositions(PER_CALL, this.#expectedBack())
    if (positions.length === 0) return
    const wait = this.#calledAt + CALL_INTERVAL - Date.now()
    if (positions.length < PER_CALL && wait > 0) return this.#schedule(wait)
    try {
      await this.#options.sendPositions(positions)
    } catch (error) {
      if (!isRefusal(error)) throw error
      console.error('The platform refused positions, which are dropped.', error)
    }
    this.#calledAt = Date.now()
    this.#count(positions.filter(({ at }) => !this.#onSocket.delete(at)))
    await this.#write((open) => open.forgetPositions(positions.map(({ at }) => at)))
    this.#isWanted = true
  }

  async #sendChanges(store: OutboxStore): Promise<void> {
    for (let [change] = await store.changes(); change !== undefined; [change] = await store.changes()) {
      try {
        await this.#options.sendChange(change)
        this.#options.onSent(change)
      } catch (error) {
        if (!isRefusal(error)) throw error
        this.#options.onRefused(change, error)
      }
      const { key } = change
      await this.#write((open) => open.forgetChange(key))
    }
  }

  /** The times of positions that may still come back over the socket. */
  #expectedBack(): ReadonlySet<string> {
    const due = Date.now() - ACKNOWLEDGE_TIMEOUT
    return new Set([...this.#onSocket].filter(([, moment]) => moment > due).map(([at]) => at))
  }

  #count(positions: DevicePosition[]): void {
    const { sent, last } = this.#state
    const newest = positions.reduce((known, one) => (known !== null && known.at > one.at ? known : one), last)
    this.#set({ sent: sent + positions.length, last: newest })
  }

  async #write(change: (store: OutboxStore) => Promise<void>): Promise<void> {
    await change(await this.#store)
    if (!this.#stopped.signal.aborted) this.#channel.postMessage(null)
    await this.#refresh()
  }

  async #refresh(): Promise<void> {
    const store = await this.#store
    if (this.#stopped.signal.aborted) return
    const [{ count, since }, changes] = await Promise.all([store.summary(), store.changes()])
    const waiting = Math.max(0, count - this.#expectedBack().size)
    this.#set({ waiting, since: waiting > 0 ? since : null, changes, isHeld: this.#failures > 0 || !navigator.onLine })
  }

  #set(next: Partial<OutboxState>): void {
    this.#state = { ...this.#state, ...next }
    for (const listener of this.#listeners) listener()
  }

  #schedule(wait: number): void {
    const due = Date.now() + wait
    if (this.#stopped.signal.aborted || (this.#timer !== undefined && this.#timer.due <= due)) return
    clearTimeout(this.#timer?.handle)
    const handle = setTimeout(() => {
      this.#timer = undefined
      this.flush()
      this.#run(this.#refresh())
    }, wait)
    this.#timer = { handle, due }
  }

  readonly #onOnline = (): void => {
    this.#failures = 0
    this.flush()
  }

  readonly #onOffline = (): void => this.#run(this.#refresh())

  #run(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#stopped.signal.aborted) console.error(error)
    })
  }
}

/** True for an answer that is the same the next time. */
function isRefusal(error: unknown): boolean {
  return isProblem(error) && error.status < 500 && ![401, 408, 425, 429].includes(error.status)
}
