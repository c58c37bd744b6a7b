import type { DeviceFix } from './frames'

/** The most fixes that are kept while offline: ten minutes at one a second. The oldest go first. */
export const KEPT = 600
/** The most fixes that the bridge takes in one frame. */
export const PER_FRAME = 100

/** Fixes that wait for a connection, and those that left but may have been lost with it. */
export class FixBuffer {
  /** Oldest first. */
  #waiting: DeviceFix[] = []
  #unheard: DeviceFix[] = []

  get size(): number {
    return this.#waiting.length
  }

  push(fix: DeviceFix): void {
    this.#waiting.push(fix)
    if (this.#waiting.length > KEPT) this.#waiting = this.#waiting.slice(-KEPT)
  }

  /** Takes the newest that wait, newest first, as many as one frame carries. */
  take(): DeviceFix[] {
    const taken = this.#waiting.splice(-PER_FRAME).reverse()
    this.#unheard = [...this.#unheard, ...taken].slice(-KEPT)
    return taken
  }

  /** True while something left that the bridge was not heard after. */
  get unsure(): boolean {
    return this.#unheard.length > 0
  }

  /** Takes the sent positions as arrived: a frame of the bridge shows that the connection works. */
  heard(): void {
    if (this.#unheard.length > 0) this.#unheard = []
  }

  /**
   * Puts the positions sent since the last frame of the bridge back into the queue, as the connection is lost, and
   * returns their number. The bridge drops those that arrived all the same.
   */
  lost(): number {
    const again = this.#unheard.length
    if (again === 0) return 0
    const all = [...this.#unheard, ...this.#waiting]
    all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    this.#waiting = all.slice(-KEPT)
    this.#unheard = []
    return again
  }
}
