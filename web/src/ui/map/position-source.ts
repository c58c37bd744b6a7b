import type { Coordinates } from '@/lib/geolocation'

/** A position of the driver. */
export interface Position extends Coordinates {
  /** Radius in metres of the circle that the device is in, for all that it knows. */
  accuracy?: number | null
  /** Degrees clockwise from north. */
  heading?: number | null
  /** Metres a second. */
  speed?: number | null
  /** RFC 3339, by the driver's device. */
  at: string
}

/** A driver's positions, handed on outside React so that each is drawn in the next frame. */
export class PositionSource {
  readonly #listeners = new Set<(position: Position) => void>()
  #latest: Position | null = null

  get latest(): Position | null {
    return this.#latest
  }

  /** Accepts a position if it is newer than the last, and returns whether it is. */
  push(position: Position): boolean {
    if (this.#latest !== null && Date.parse(position.at) <= Date.parse(this.#latest.at)) return false
    this.#latest = position
    for (const listener of this.#listeners) listener(position)
    return true
  }

  readonly subscribe = (listener: (position: Position) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
