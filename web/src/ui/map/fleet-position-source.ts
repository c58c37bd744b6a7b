import type { Position } from './position-source'

/** Positions of many drivers, handed on outside React. */
export class FleetPositionSource {
  #listener: ((id: string, position: Position) => void) | null = null

  push(id: string, position: Position): void {
    this.#listener?.(id, position)
  }

  /** Hands positions to one map, until the returned function is called. */
  readonly subscribe = (listener: (id: string, position: Position) => void): (() => void) => {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = null
    }
  }
}
