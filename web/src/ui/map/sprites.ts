/** A marker's looks, by kind. */
export interface FleetColours {
  kinds: readonly string[]
  edge: string
  ring: string
}

/** The headings that are drawn beforehand. */
const HEADINGS = 32
/** The box of one marker, in CSS pixels. */
const BOX = 30
const DISC = 7

/**
 * The markers of a fleet, drawn once for each look and heading: a frame then only copies pixels, which
 * costs a tenth of drawing five hundred shapes.
 */
export class Sprites {
  readonly #sheet = document.createElement('canvas')
  readonly #box: number
  readonly #ring: string
  readonly #pixelRatio: number

  constructor(colours: FleetColours, density: number) {
    this.#pixelRatio = Math.min(2, density)
    this.#box = Math.round(BOX * this.#pixelRatio)
    this.#ring = colours.ring
    // The first column has no heading.
    this.#sheet.width = this.#box * (HEADINGS + 1)
    this.#sheet.height = this.#box * colours.kinds.length
    const ctx = this.#sheet.getContext('2d')
    if (ctx === null) return
    for (const [row, colour] of colours.kinds.entries()) {
      for (let column = 0; column <= HEADINGS; column += 1) {
        ctx.setTransform(1, 0, 0, 1, (column + 0.5) * this.#box, (row + 0.5) * this.#box)
        ctx.scale(this.#pixelRatio, this.#pixelRatio)
        if (column > 0) ctx.rotate(((column - 1) / HEADINGS) * 2 * Math.PI)
        paint(ctx, colour, colours.edge, column > 0)
      }
    }
  }

  /** Draws a marker around a point of a canvas, in its own pixels. */
  draw(ctx: CanvasRenderingContext2D, x: number, y: number, kind: number, heading: number): void {
    const turn = Math.round((heading / (2 * Math.PI)) * HEADINGS)
    const column = Number.isNaN(heading) ? 0 : 1 + (((turn % HEADINGS) + HEADINGS) % HEADINGS)
    const box = this.#box
    ctx.drawImage(this.#sheet, column * box, kind * box, box, box, x - box / 2, y - box / 2, box, box)
  }

  /** Draws the ring around the picked marker. */
  ring(ctx: CanvasRenderingContext2D, x: number, y: number): void {
    ctx.beginPath()
    ctx.arc(x, y, 15 * this.#pixelRatio, 0, 2 * Math.PI)
    ctx.strokeStyle = this.#ring
    ctx.lineWidth = 3 * this.#pixelRatio
    ctx.stroke()
  }
}

function paint(ctx: CanvasRenderingContext2D, colour: string, edge: string, hasHeading: boolean): void {
  ctx.fillStyle = colour
  ctx.strokeStyle = edge
  ctx.lineWidth = 2
  ctx.lineJoin = 'round'
  if (hasHeading) {
    ctx.beginPath()
    ctx.moveTo(0, -DISC - 6)
    ctx.lineTo(DISC - 1, -DISC + 2)
    ctx.lineTo(-DISC + 1, -DISC + 2)
    ctx.closePath()
    ctx.stroke()
    ctx.fill()
  }
  ctx.beginPath()
  ctx.arc(0, 0, DISC, 0, 2 * Math.PI)
  ctx.stroke()
  ctx.fill()
}
