import type { Fix } from './fixes'

/** Positions of many drivers as they come, handed past React. */
export class FleetFeed {
  #listener: ((id: string, fix: Fix) => void) | null = null

  push(id: string, fix: Fix): void {
    this.#listener?.(id, fix)
  }

  /** Gives them to one map, until the returned function is called. */
  readonly subscribe = (listener: (id: string, fix: Fix) => void): (() => void) => {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = null
    }
  }
}
