import { config } from './config'
import { dates, perLanguage } from './per-language'
import { text } from './texts'

const { currency, timeZone } = config()
const money = perLanguage((tag) => new Intl.NumberFormat(tag, { minimumFractionDigits: currency.decimals, maximumFractionDigits: currency.decimals }))
const day = dates({ day: 'numeric', month: 'short', year: 'numeric' }, { dateStyle: 'short' })
const dayOfYear = dates({ day: 'numeric', month: 'long' }, { dateStyle: 'short' })
const monthOfYear = dates({ month: 'long', year: 'numeric' }, { dateStyle: 'short' })
const dayAndTime = dates(
  { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  { dateStyle: 'short', timeStyle: 'short' },
)
const clockToTheSecond = dates({ hour: 'numeric', minute: '2-digit', second: '2-digit' }, { timeStyle: 'medium' })
/** The form of a clock time. */
export const clock = dates({ hour: 'numeric', minute: '2-digit' }, { timeStyle: 'short' })

/** The clocks that the platform's days begin with. */
export const PLATFORM_ZONE = timeZone

/** The text before an amount: `Rs.`, `¥`, `KWD`. */
export const CURRENCY_SIGN = currency.sign

/** The sign before a number. One of a single character touches it. */
export const MONEY_PREFIX = currency.sign.length === 1 ? currency.sign : `${currency.sign} `

/** An amount in the platform's currency: `Rs. 1,250.00`, `¥1,250`, `KWD 1.250`. */
export function moneyText(amount: number): string {
  return MONEY_PREFIX + money().format(amount)
}

const amount = perLanguage((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }))

/** A file's size: `102.9 kB`. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${amount().format(bytes / 1e3)} kB` : `${amount().format(bytes / 1e6)} MB`
}

function dateOf(value: string | null | undefined): Date | null {
  if (!value) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

/** A date without its time, 'N/A' without one. */
export function dateText(value: string | null | undefined): string {
  const date = dateOf(value)
  return date === null ? text('app.notAvailable') : day().format(date)
}

/** `16 December`; of a day that is most of a year away, `December 2027`. */
export function dayInWords(value: string, now: number): string {
  const isNear = Math.abs(Date.parse(value) - now) < 300 * 86_400_000
  return (isNear ? dayOfYear() : monthOfYear()).format(new Date(value))
}

export function dateTimeText(value: string | null | undefined): string {
  const date = dateOf(value)
  return date === null ? text('app.notAvailable') : dayAndTime().format(date)
}

export function clockText(value: string | null | undefined): string {
  const date = dateOf(value)
  return date === null ? text('app.notAvailable') : clock().format(date)
}

export function clockWithSeconds(value: string | null | undefined): string {
  const date = dateOf(value)
  return date === null ? text('app.notAvailable') : clockToTheSecond().format(date)
}

/** The time since a moment, in the largest unit that fits. */
export function agoText(value: string, now: number = Date.now()): string {
  const date = dateOf(value)
  if (date === null) return text('app.notAvailable')
  const seconds = Math.round((date.getTime() - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 45) return text('app.justNow')
  // Browsers come without some languages' own words for this.
  if (size < 45 * 60) return text('app.minutesAgo', { count: Math.round(size / 60) })
  if (size < 22 * 3600) return text('app.hoursAgo', { count: Math.max(1, Math.round(size / 3600)) })
  return text('app.daysAgo', { count: Math.max(1, Math.round(size / 86400)) })
}

export function titleCase(text: string): string {
  return text === '' ? text : text.charAt(0).toUpperCase() + text.slice(1)
}
