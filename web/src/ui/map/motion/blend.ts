import type { Metres } from './plane'

/** The difference between the drawn place and the estimated one, after a fix; it wears off evenly. */
export interface Blend {
  /** Metres along the street by which the drawn place is ahead. */
  ahead: number
  /** Metres beside it. */
  beside: Metres
  /** Our time, in milliseconds. */
  start: number
  duration: number
}

export const NO_BLEND: Blend = { ahead: 0, beside: { east: 0, north: 0 }, start: 0, duration: 0 }

/** The share of its speed that the marker gives up at most to wait for the estimate. */
const WAITING = 0.8
/** The longest wait in milliseconds; where more is needed, the marker goes back. */
const LONGEST_WAIT = 4000
const SHORTEST = 300
/** Catching up, and moving sideways, in milliseconds. */
const CATCHING_UP = 1000

/** The time for a difference: without moving backwards where waiting is enough. `speed` in metres a second. */
export function blendDuration(ahead: number, speed: number): number {
  if (ahead <= 0) return CATCHING_UP
  const wait = (ahead / (WAITING * Math.max(speed, 0.1))) * 1000
  return wait > LONGEST_WAIT ? CATCHING_UP : Math.max(SHORTEST, wait)
}

/** The share of the difference that is left, 1 to 0. */
export function left({ start, duration }: Blend, now: number): number {
  if (duration <= 0 || now >= start + duration) return 0
  return now <= start ? 1 : 1 - (now - start) / duration
}
