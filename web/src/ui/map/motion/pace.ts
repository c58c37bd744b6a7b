/** The longest interval between fixes that is taken for usual, and the shortest, in milliseconds. */
const INTERVALS = [1000, 20_000] as const
/** The interval before two are known, in milliseconds. */
const UNKNOWN = 5000
/** The number of intervals of which the median counts. */
const REMEMBERED = 7
/** A fix is overdue after so many usual intervals. */
const SLACK = 1.2
/** The time in which a vehicle slows down then, in usual intervals, and at least in seconds. */
const FADE = [0.5, 3] as const

/** After so many of these times it moves no pixel. */
const FADES = 6

/** Slower than this is resting, in metres a second. */
export const RESTING = 0.7

/** The usual time between fixes, in milliseconds: the median of the last ones. */
export class Interval {
  #last: number[] = []
  #usual = UNKNOWN

  get usual(): number {
    return this.#usual
  }

  observe(interval: number): void {
    this.#last = [...this.#last, interval].slice(-REMEMBERED)
    const sorted = this.#last.toSorted((a, b) => a - b)
    this.#usual = Math.min(INTERVALS[1], Math.max(INTERVALS[0], sorted[sorted.length >> 1] ?? UNKNOWN))
  }
}

/** A vehicle's way after a fix, in metres: at an even speed until the next fix is overdue, then ever slower. */
export function travelled(speed: number, seconds: number, usualSeconds: number): number {
  if (speed < RESTING) return 0
  const onTime = Math.min(seconds, usualSeconds * SLACK)
  const fade = fadeOf(usualSeconds)
  return speed * (onTime + fade * (1 - Math.exp((onTime - seconds) / fade)))
}

/** The time after which a vehicle without fixes has come to rest, in milliseconds as `usual` is. */
export function rollingTime(usual: number): number {
  return usual * SLACK + FADES * 1000 * fadeOf(usual / 1000)
}

function fadeOf(usualSeconds: number): number {
  return Math.max(FADE[1], usualSeconds * FADE[0])
}
