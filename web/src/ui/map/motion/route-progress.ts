/** The metres from a route's beginning to its driver, handed on outside React. */
export class RouteProgress {
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
