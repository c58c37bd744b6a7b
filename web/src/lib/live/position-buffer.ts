import type { DevicePosition } from './frames'

/** The most positions that are kept while offline: ten minutes at one a second. The oldest go first. */
const CAPACITY = 600
/** The most positions that the bridge takes in one frame. */
const PER_FRAME = 100

/** Positions that wait for a connection, and sent ones that may have been lost with it. */
export class PositionBuffer {
  /** Oldest first. */
  #waiting: DevicePosition[] = []
  #unacknowledged: DevicePosition[] = []

  get size(): number {
    return this.#waiting.length
  }

  push(position: DevicePosition): void {
    this.#waiting.push(position)
    if (this.#waiting.length > CAPACITY) this.#waiting = this.#waiting.slice(-CAPACITY)
  }

  /** Takes the newest that wait, newest first, as many as one frame carries. */
  take(): DevicePosition[] {
    const taken = this.#waiting.splice(-PER_FRAME).reverse()
    this.#unacknowledged = [...this.#unacknowledged, ...taken].slice(-CAPACITY)
    return taken
  }

  /** True while the bridge has sent no frame since the last positions left. */
  get hasUnacknowledged(): boolean {
    return this.#unacknowledged.length > 0
  }

  /** Takes sent positions as arrived. A frame of the bridge proves that the connection works. */
  acknowledge(): void {
    if (this.#unacknowledged.length > 0) this.#unacknowledged = []
  }

  /**
   * Puts unacknowledged positions back after the connection is lost, and returns their number. The bridge drops
   * those that did arrive.
   */
  requeueUnacknowledged(): number {
    const requeued = this.#unacknowledged.length
    if (requeued === 0) return 0
    const all = [...this.#unacknowledged, ...this.#waiting]
    all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    this.#waiting = all.slice(-CAPACITY)
    this.#unacknowledged = []
    return requeued
  }
}
