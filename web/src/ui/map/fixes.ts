import type { Place } from './geo'

/** A position of the driver. */
export interface Fix extends Place {
  /** Degrees clockwise from north. */
  heading?: number | null
  /** Metres a second. */
  speed?: number | null
  /** RFC 3339, by the driver's device. */
  at: string
}

/** Positions as they come, handed past React so that each is drawn in the next frame. */
export class FixFeed {
  readonly #listeners = new Set<(fix: Fix) => void>()
  #latest: Fix | null = null

  get latest(): Fix | null {
    return this.#latest
  }

  /** Takes a fix unless it is not newer than the last; tells whether it did. */
  push(fix: Fix): boolean {
    if (this.#latest !== null && Date.parse(fix.at) <= Date.parse(this.#latest.at)) return false
    this.#latest = fix
    for (const listener of this.#listeners) listener(fix)
    return true
  }

  readonly subscribe = (listener: (fix: Fix) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
