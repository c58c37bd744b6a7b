import type { City, Point, Shape } from './city-data'
import type { Palette } from './palette'
import type { View } from './city-paint'

type Ink = 'text' | 'quietText' | 'parkText' | 'waterText' | 'landmark'

interface Letter {
  text: string
  x: number
  y: number
  angle: number
}

/** A placed name, in world pixels of one zoom. */
interface Name {
  font: string
  ink: Ink
  letters: Letter[]
  /** A dot before the name, of landmarks. */
  dot: [x: number, y: number] | null
  /** The area that it covers. */
  boxes: Rect[]
}

interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

/** The family that names are written in. */
export const FACE = 'Figtree Variable'
const FACES = `'${FACE}', system-ui, sans-serif`

const measuringContext = new OffscreenCanvas(1, 1).getContext('2d')

function measure(text: string, font: string): number {
  if (measuringContext === null) return text.length * 7
  measuringContext.font = font
  return measuringContext.measureText(text).width
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
}

/** Names of one zoom, the more important ones first; none covers another. */
export class NameLayout {
  readonly #placed: Name[] = []
  readonly #world: number
  readonly #zoom: number

  constructor(city: City, zoom: number) {
    this.#zoom = zoom
    this.#world = 256 * 2 ** zoom
    const named = city.shapes.filter((shape) => shape.name !== undefined)
    const shapesOf = (kind: Shape['kind'], more: (shape: Shape) => boolean = () => true) =>
      named.filter((shape) => shape.kind === kind && more(shape))

    for (const shape of shapesOf('sea')) this.#point(shape, `italic 500 ${zoom < 14 ? 13 : 15}px ${FACES}`, 'waterText')
    for (const shape of shapesOf('place', ({ rank }) => rank === 1)) this.#point(shape, `600 ${placeSize(zoom)}px ${FACES}`, 'text')
    if (zoom >= 13) for (const shape of shapesOf('road', (road) => road.class === 'trunk')) this.#along(shape, 10.5 + (zoom > 14 ? 1 : 0), 'quietText', 520)
    if (zoom >= 14) {
      for (const shape of shapesOf('place', ({ rank }) => rank === 2)) this.#point(shape, `500 12px ${FACES}`, 'quietText')
      for (const shape of shapesOf('park')) this.#area(shape, 'parkText')
      for (const shape of shapesOf('water')) this.#area(shape, 'waterText')
    }
    if (zoom >= 15) for (const shape of shapesOf('landmark')) this.#landmark(shape)
    if (zoom >= 14) for (const shape of shapesOf('road', (road) => road.class === 'main')) this.#along(shape, zoom > 15 ? 11.5 : 10.5, 'quietText', 620)
    if (zoom >= 13) for (const shape of shapesOf('river')) this.#along(shape, 11.5, 'waterText', 700)
    if (zoom >= 15) for (const shape of shapesOf('canal')) this.#along(shape, 10.5, 'waterText', 700)
    if (zoom >= 16) for (const shape of shapesOf('road', (road) => road.class === 'street')) this.#along(shape, 11, 'quietText', 700)
  }

  /** Writes the names that touch a tile into it. */
  paint(ctx: OffscreenCanvasRenderingContext2D, view: View, colours: Palette): void {
    const tile = { left: view.left - 4, top: view.top - 4, right: view.left + view.size + 4, bottom: view.top + view.size + 4 }
    ctx.textAlign = 'center'
    ctx.textBaseline = 'middle'
    ctx.lineJoin = 'round'
    for (const name of this.#placed) {
      if (!name.boxes.some((box) => overlaps(box, tile))) continue
      ctx.font = name.font
      ctx.strokeStyle = name.ink === 'waterText' ? colours.waterHalo : colours.halo
      ctx.fillStyle = colours[name.ink]
      ctx.lineWidth = 3.2
      if (name.dot !== null) drawDot(ctx, name.dot[0] - view.left, name.dot[1] - view.top)
      forEachLetter(name.letters, ctx, view, (text) => ctx.strokeText(text, 0, 0))
      forEachLetter(name.letters, ctx, view, (text) => ctx.fillText(text, 0, 0))
    }
  }

  #place(name: Name): boolean {
    if (name.boxes.some((box) => this.#placed.some((other) => other.boxes.some((taken) => overlaps(box, taken))))) return false
    this.#placed.push(name)
    return true
  }

  #at([x, y]: Point): [number, number] {
    return [x * this.#world, y * this.#world]
  }

  /** A name over its point, in two lines where it is long. */
  #point(shape: Shape, font: string, ink: Ink): void {
    const point = shape.lines[0]?.[0]
    if (point !== undefined) this.#block(this.#at(point), shape.name ?? '', font, ink, 2)
  }

  #area(shape: Shape, ink: Ink): void {
    const { box } = shape
    const wide = (box.right - box.left) * this.#world
    const high = (box.bottom - box.top) * this.#world
    if (Math.max(wide, high) < 46) return
    const centre: Point = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    this.#block(this.#at(centre), shape.name ?? '', `italic 500 ${this.#zoom > 15 ? 12.5 : 11}px ${FACES}`, ink, 3)
  }

  #block([x, y]: [number, number], text: string, font: string, ink: Ink, gap: number): void {
    const size = Number.parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? '12')
    const rows = measure(text, font) > 72 ? splitRows(text) : [text]
    const wide = Math.max(...rows.map((row) => measure(row, font)))
    const high = rows.length * size * 1.15
    const box = { left: x - wide / 2 - gap, right: x + wide / 2 + gap, top: y - high / 2 - gap, bottom: y + high / 2 + gap }
    const letters = rows.map((row, index) => ({ text: row, x, y: y + (index - (rows.length - 1) / 2) * size * 1.15, angle: 0 }))
    this.#place({ font, ink, letters, dot: null, boxes: [box] })
  }

  #landmark(shape: Shape): void {
    const point = shape.lines[0]?.[0]
    const text = shape.name
    if (point === undefined || text === undefined) return
    const font = `500 11.5px ${FACES}`
    const [x, y] = this.#at(point)
    const wide = measure(text, font)
    for (const side of [1, -1]) {
      const centre = x + side * (wide / 2 + 9)
      const box = { left: Math.min(x - 6, centre - wide / 2), right: Math.max(x + 6, centre + wide / 2), top: y - 9, bottom: y + 9 }
      if (this.#place({ font, ink: 'landmark', letters: [{ text, x: centre, y, angle: 0 }], dot: [x, y], boxes: [box] })) return
    }
  }

  /** Writes along a line, again every `every` pixels. */
  #along(shape: Shape, size: number, ink: Ink, every: number): void {
    const line = shape.lines[0]?.map((point) => this.#at(point)) ?? []
    const text = shape.name ?? ''
    const font = `500 ${size}px ${FACES}`
    const wide = measure(text, font)
    const length = lengthOf(line)
    if (length < wide * 1.15) return
    const times = Math.max(1, Math.floor(length / every))
    for (let time = 0; time < times; time += 1) {
      for (const nudge of [0.5, 0.35, 0.65, 0.2, 0.8]) {
        const start = ((time + nudge) / times) * length - wide / 2
        if (start < 2 || start + wide > length - 2) continue
        const letters = placeLetters(line, text, font, start)
        if (letters === null) continue
        const half = size * 0.62
        const boxes = letters.map(({ x, y }) => ({ left: x - half, right: x + half, top: y - half, bottom: y + half }))
        if (this.#place({ font, ink, letters, dot: null, boxes })) break
      }
    }
  }
}

function placeSize(zoom: number): number {
  if (zoom < 13) return 11
  return zoom === 13 ? 12.5 : 14
}

function drawDot(ctx: OffscreenCanvasRenderingContext2D, x: number, y: number): void {
  ctx.beginPath()
  ctx.arc(x, y, 3.4, 0, 2 * Math.PI)
  ctx.stroke()
  ctx.fill()
}

function forEachLetter(letters: Letter[], ctx: OffscreenCanvasRenderingContext2D, view: View, write: (text: string) => void): void {
  for (const { text, x, y, angle } of letters) {
    ctx.save()
    ctx.translate(x - view.left, y - view.top)
    ctx.rotate(angle)
    write(text)
    ctx.restore()
  }
}

/** Two rows, broken at the space nearest to the middle. */
function splitRows(text: string): string[] {
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const middle = text.length / 2
  const best = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0]
  return best === undefined ? [text] : [text.slice(0, best), text.slice(best + 1)]
}

function lengthOf(line: [number, number][]): number {
  let length = 0
  line.forEach(([x, y], index) => {
    const before = line[index - 1]
    if (before !== undefined) length += Math.hypot(x - before[0], y - before[1])
  })
  return length
}

/** The point at a distance along a line, and the direction there. */
function pointAlong(line: [number, number][], distance: number): { x: number; y: number; angle: number } | null {
  let left = distance
  for (let index = 1; index < line.length; index += 1) {
    const from = line[index - 1]
    const to = line[index]
    if (from === undefined || to === undefined) return null
    const step = Math.hypot(to[0] - from[0], to[1] - from[1])
    if (step > 0 && left <= step) {
      const part = left / step
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
      return { x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part, angle }
    }
    left -= step
  }
  return null
}

/** Sets each letter on the line, left to right; null where the line bends too much to be read. */
function placeLetters(line: [number, number][], text: string, font: string, start: number): Letter[] | null {
  const wide = measure(text, font)
  const head = pointAlong(line, start)
  const tail = pointAlong(line, start + wide)
  if (head === null || tail === null) return null
  const backwards = tail.x < head.x
  const letters: Letter[] = []
  let offset = 0
  let before: number | null = null
  for (const letter of text) {
    const advance = measure(letter, font)
    const centre = offset + advance / 2
    const spot = pointAlong(line, backwards ? start + wide - centre : start + centre)
    if (spot === null) return null
    const angle = backwards ? spot.angle + Math.PI : spot.angle
    if (before !== null && Math.abs(Math.sin((angle - before) / 2)) > 0.2) return null
    before = angle
    letters.push({ text: letter, x: spot.x, y: spot.y, angle })
    offset += advance
  }
  return letters
}
