/** Lines of a chart above its zero, at most. */
const LINES = 4

/** Round, whole values at equal distances, from 0 to at least `most`. */
export function scaleOf(most: number): number[] {
  const least = Math.max(1, most) / LINES
  const power = 10 ** Math.floor(Math.log10(least))
  const round = [1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10
  const step = Math.max(1, round * power)
  const lines = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: lines + 1 }, (_, at) => at * step)
}
