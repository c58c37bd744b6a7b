import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

import type { DeliveryStatus } from '@/api/generated/types.gen'
import { DRIVER_OUTBOX } from '@/lib/driver-outbox'
import type { DevicePosition } from '@/lib/live/frames'

/** The most positions that are kept: a day at one every five seconds. The oldest go first. */
const CAPACITY = 17_280
/** The age at which a position is dropped, in milliseconds: the platform takes those of the last day. */
const MAX_AGE = 24 * 60 * 60 * 1000

/** A change of the status of a ticket's deliveries that the platform has not confirmed. */
export interface KeptChange {
  userId: string
  /** The `Idempotency-Key` of its request. */
  key: string
  deliveryId: string
  /** The codes of the orders. */
  orderId: string
  status: DeliveryStatus
  /** All deliveries that take the step together, and their status before; a change that an earlier version kept has none. */
  ticket?: { deliveryIds: string[]; from: DeliveryStatus }
  /** RFC 3339, by the device's clock. */
  at: string
}

/** The ids of the deliveries that a change moves. */
export function deliveriesOf({ deliveryId, ticket }: Pick<KeptChange, 'deliveryId' | 'ticket'>): string[] {
  return ticket?.deliveryIds ?? [deliveryId]
}

interface OutboxSchema extends DBSchema {
  /** By account and time: a device is at one place at a time. */
  positions: { key: [string, string]; value: DevicePosition & { userId: string } }
  /** In the order in which they were made. */
  changes: { key: number; value: KeptChange }
}

/** One account's unacknowledged positions and status changes, in IndexedDB. */
export class OutboxStore {
  readonly #database: IDBPDatabase<OutboxSchema>
  readonly #userId: string

  readonly #capacity: number

  private constructor(database: IDBPDatabase<OutboxSchema>, userId: string, capacity: number) {
    this.#database = database
    this.#capacity = capacity
    this.#userId = userId
  }

  /** Opens the store, and drops what is too old and what another account left. */
  static async open(userId: string, capacity = CAPACITY): Promise<OutboxStore> {
    const database = await openDB<OutboxSchema>(DRIVER_OUTBOX, 1, {
      upgrade: (created) => {
        created.createObjectStore('positions', { keyPath: ['userId', 'at'] })
        created.createObjectStore('changes', { autoIncrement: true })
      },
      // Another tab signs out and deletes the database.
      blocking: () => database.close(),
    })
    const store = new OutboxStore(database, userId, capacity)
    await store.#dropForeign()
    await store.dropOld(Date.now())
    return store
  }

  close(): void {
    this.#database.close()
  }

  async keepPosition(position: DevicePosition): Promise<void> {
    await this.#database.put('positions', { ...position, userId: this.#userId })
    const excess = (await this.#database.count('positions', this.#all())) - this.#capacity
    if (excess > 0) await this.#dropOldest(excess)
  }

  /** The newest positions, newest first, without those of the times in `except`. */
  async newestPositions(most: number, except: ReadonlySet<string>): Promise<DevicePosition[]> {
    const found: DevicePosition[] = []
    let cursor = await this.#database.transaction('positions').store.openCursor(this.#all(), 'prev')
    while (cursor !== null && found.length < most) {
      const position: DevicePosition & { userId?: string } = { ...cursor.value }
      delete position.userId
      if (!except.has(position.at)) found.push(position)
      cursor = await cursor.continue()
    }
    return found
  }

  async forgetPositions(times: readonly string[]): Promise<void> {
    const transaction = this.#database.transaction('positions', 'readwrite')
    await Promise.all([...times.map((at) => transaction.store.delete([this.#userId, at])), transaction.done])
  }

  /** The number of kept positions, and the time of the oldest. */
  async summary(): Promise<{ count: number; since: string | null }> {
    const { store } = this.#database.transaction('positions')
    const [count, oldest] = await Promise.all([store.count(this.#all()), store.openKeyCursor(this.#all())])
    return { count, since: oldest?.key[1] ?? null }
  }

  async keepChanges(changes: readonly Omit<KeptChange, 'userId'>[]): Promise<void> {
    const transaction = this.#database.transaction('changes', 'readwrite')
    await Promise.all([...changes.map((change) => transaction.store.add({ ...change, userId: this.#userId })), transaction.done])
  }

  /** The changes, oldest first. */
  changes(): Promise<KeptChange[]> {
    return this.#database.getAll('changes')
  }

  async forgetChange(key: string): Promise<void> {
    await this.#dropChanges((change) => change.key === key)
  }

  /** Drops positions that the platform takes no more. */
  async dropOld(now: number): Promise<void> {
    const oldest = new Date(now - MAX_AGE).toISOString()
    await this.#database.delete('positions', IDBKeyRange.bound([this.#userId], [this.#userId, oldest]))
  }

  #all(): IDBKeyRange {
    return IDBKeyRange.bound([this.#userId], [this.#userId, []])
  }

  async #dropOldest(count: number): Promise<void> {
    const { store, done } = this.#database.transaction('positions', 'readwrite')
    let cursor = await store.openCursor(this.#all())
    for (let dropped = 0; cursor !== null && dropped < count; dropped += 1) {
      await cursor.delete()
      cursor = await cursor.continue()
    }
    await done
  }

  async #dropForeign(): Promise<void> {
    const others = [IDBKeyRange.upperBound([this.#userId], true), IDBKeyRange.lowerBound([this.#userId, []], true)]
    for (const range of others) await this.#database.delete('positions', range)
    await this.#dropChanges((change) => change.userId !== this.#userId)
  }

  async #dropChanges(isDropped: (change: KeptChange) => boolean): Promise<void> {
    const { store, done } = this.#database.transaction('changes', 'readwrite')
    let cursor = await store.openCursor()
    while (cursor !== null) {
      if (isDropped(cursor.value)) await cursor.delete()
      cursor = await cursor.continue()
    }
    await done
  }
}
