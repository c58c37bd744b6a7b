import type { Point } from '@/ui/map/city-data'

/** The point of the segment from `a` to `b` that is nearest to `p`, with its part of the way. */
export function nearest(p: Point, a: Point, b: Point): { at: Point; part: number; distance: number } {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const square = dx * dx + dy * dy
  const part = square === 0 ? 0 : Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
  const at: Point = [a[0] + dx * part, a[1] + dy * part]
  return { at, part, distance: Math.hypot(p[0] - at[0], p[1] - at[1]) }
}

/** The point where two segments cross or touch, as its parts of both. */
export function crossing([a, b]: [Point, Point], [c, d]: [Point, Point]): { at: Point; first: number; second: number } | undefined {
  const [rx, ry, sx, sy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]]
  const cross = rx * sy - ry * sx
  if (cross === 0) return undefined
  const first = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
  const second = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / cross
  if (first < 0 || first > 1 || second < 0 || second > 1) return undefined
  return { at: [a[0] + rx * first, a[1] + ry * first], first, second }
}

/** The line without the points that lie within `tolerance` of what remains (Douglas and Peucker). */
export function simplified(line: Point[], tolerance: number): Point[] {
  const [first, last] = [line[0], line.at(-1)]
  if (first === undefined || last === undefined || line.length < 3) return line
  let [farthest, distance] = [0, 0]
  line.forEach((point, i) => {
    const away = nearest(point, first, last).distance
    if (away > distance) [farthest, distance] = [i, away]
  })
  if (distance <= tolerance) return [first, last]
  const before = simplified(line.slice(0, farthest + 1), tolerance)
  return [...before, ...simplified(line.slice(farthest), tolerance).slice(1)]
}

export function segments(line: Point[]): [Point, Point][] {
  return line.slice(1).flatMap((to, i) => {
    const from = line[i]
    return from === undefined ? [] : [[from, to]]
  })
}
