import { config } from './config'

const { decimals } = config().currency

/** The smallest units of one: 100 cents of a rupee, 1 of a yen, 1000 of a Kuwaiti dinar. */
const SCALE = 10 ** decimals

/** The smallest step of an amount, as a field of a form takes it: `0.01`, `1`, `0.001`. */
export const MONEY_STEP = (1 / SCALE).toFixed(decimals)

/** An amount in its smallest units, called cents in any currency: they add up where fractions do not. */
export function cents(amount: number): number {
  return Math.round(amount * SCALE)
}

/** The amount of so many of its smallest units. */
export function fromCents(count: number): number {
  return count / SCALE
}
