/** The way that a driver has behind them, in metres from their route's beginning; handed on outside React. */
export class WaySource {
  readonly #listeners = new Set<(along: number | null) => void>()
  #latest: number | null = null

  /** Null while the driver is beside the route. */
  get latest(): number | null {
    return this.#latest
  }

  push(along: number | null): void {
    if (along === this.#latest) return
    this.#latest = along
    for (const listener of this.#listeners) listener(along)
  }

  readonly subscribe = (listener: (along: number | null) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
