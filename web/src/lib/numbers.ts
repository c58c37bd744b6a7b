import { perLanguage } from './per-language'

const count = perLanguage((tag) => new Intl.NumberFormat(tag))
const compact = perLanguage((tag) => new Intl.NumberFormat(tag, { notation: 'compact' }))
const change = perLanguage((tag) => new Intl.NumberFormat(tag, { style: 'percent', signDisplay: 'exceptZero' }))

/** `5,064`. */
export function countText(number: number): string {
  return count().format(number)
}

/** A number for the mark of an axis: `1,500`, `2.5M`. */
export function markText(value: number): string {
  return (value < 100_000 ? count() : compact()).format(value)
}

/** The change of a figure, `+12%`; null where there was nothing before. */
export function changeText(before: number, now: number): string | null {
  if (before === 0) return null
  return change().format(now / before - 1)
}
