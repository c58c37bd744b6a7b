const FIRST_DELAY = 500
/** Short enough that everyone is back within ten seconds, however long the bridge was away. */
const LONGEST_DELAY = 8_000

/**
 * The delay before the attempt after `failures` failed ones, in milliseconds: doubling from half
 * a second to eight seconds, the latter half of it by chance so that a restarted bridge is not stormed.
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, failures - 1))
  return whole / 2 + (whole / 2) * random()
}

/** The wait after a bridge has closed all its sockets, in milliseconds: up to two and a half seconds. */
export function restartDelay(random: () => number = Math.random): number {
  return FIRST_DELAY / 2 + 4.5 * FIRST_DELAY * random()
}
