type Point = [x: number, y: number]

/** A vertex that turns more sharply than this stays a corner. */
const CORNER_COSINE = Math.cos((62 * Math.PI) / 180)
const STEPS = 5

const distanceBetween = (a: Point, b: Point) => Math.hypot(b[0] - a[0], b[1] - a[1])

function isCorner(before: Point, at: Point, after: Point): boolean {
  const length = distanceBetween(before, at) * distanceBetween(at, after)
  if (length === 0) return true
  const dot = (at[0] - before[0]) * (after[0] - at[0]) + (at[1] - before[1]) * (after[1] - at[1])
  return dot / length < CORNER_COSINE
}

/** Rounds the bends of a hand-drawn line: a centripetal Catmull-Rom spline through its points, corners kept. */
export function smoothLine(points: Point[]): Point[] {
  const first = points[0]
  if (first === undefined || points.length < 3) return points
  const drawn: Point[] = [first]
  for (let i = 0; i + 1 < points.length; i += 1) {
    const from = points[i]
    const to = points[i + 1]
    if (from === undefined || to === undefined) break
    const before = points[i - 1]
    const after = points[i + 2]
    const start = before === undefined || isCorner(before, from, to) ? mirror(to, from) : before
    const end = after === undefined || isCorner(from, to, after) ? mirror(from, to) : after
    for (let step = 1; step <= STEPS; step += 1) drawn.push(spline(start, from, to, end, step / STEPS))
  }
  return drawn
}

/** `point` seen from the other side of `centre`. */
function mirror(point: Point, centre: Point): Point {
  return [2 * centre[0] - point[0], 2 * centre[1] - point[1]]
}

function spline(p0: Point, p1: Point, p2: Point, p3: Point, part: number): Point {
  const t1 = Math.sqrt(distanceBetween(p0, p1))
  const t2 = t1 + Math.sqrt(distanceBetween(p1, p2))
  const t3 = t2 + Math.sqrt(distanceBetween(p2, p3))
  if (t1 === 0 || t2 === t1 || t3 === t2) return [p1[0] + (p2[0] - p1[0]) * part, p1[1] + (p2[1] - p1[1]) * part]
  const t = t1 + (t2 - t1) * part
  const mix = (a: Point, b: Point, from: number, to: number): Point => {
    const share = (t - from) / (to - from)
    return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
  }
  const a1 = mix(p0, p1, 0, t1)
  const a2 = mix(p1, p2, t1, t2)
  const a3 = mix(p2, p3, t2, t3)
  return mix(mix(a1, a2, 0, t2), mix(a2, a3, t1, t3), t1, t2)
}
