import { clock, clockText } from './format'

/** The clock times from one moment to a later one; the day is not said. */
export function clockRangeText(from: string, to: string): string {
  const [begin, end] = [new Date(from), new Date(to)]
  // Across midnight the formatter would add both days.
  if (begin.toDateString() === end.toDateString()) return clock().formatRange(begin, end)
  return `${clockText(from)} – ${clockText(to)}`
}
