import type { FleetColours } from './sprites'

/** The name beside a marker. Places and lengths are CSS pixels. */
export interface FleetLabel {
  text: string
  /** The middle of its marker. */
  x: number
  y: number
  /** Written even where it covers others. */
  isFirst: boolean
}

interface Placed {
  label: FleetLabel
  left: number
  right: number
}

const SIZE = 12
const LINE = 16
/** The distance of a name from the middle of its marker. */
const AWAY = 13
/** Half the height of a marker. */
const DISC = 9
/** More markers than these are named one by one only. */
const MOST = 60

/** The labels that cover no marker and no label before them. */
export function placeLabels(labels: FleetLabel[], widthOf: (text: string) => number): Placed[] {
  const placed: Placed[] = []
  const ordered = [...labels.filter(({ isFirst }) => isFirst), ...labels.filter(({ isFirst }) => !isFirst)]
  for (const label of ordered) {
    if (!label.isFirst && labels.length > MOST) break
    const left = label.x + AWAY
    const right = left + widthOf(label.text)
    const coversLabel = placed.some((one) => Math.abs(one.label.y - label.y) < LINE && one.left < right && left < one.right)
    const coversMarker = labels.some(
      (one) => one !== label && Math.abs(one.y - label.y) < LINE / 2 + DISC && one.x + DISC > left && one.x - DISC < right,
    )
    if (label.isFirst || !(coversLabel || coversMarker)) placed.push({ label, left, right })
  }
  return placed
}

/** Writes names beside the markers of a canvas. */
export class FleetLabels {
  readonly #widths = new Map<string, number>()
  readonly #colours: FleetColours
  readonly #face: string

  constructor(colours: FleetColours, face: string) {
    this.#colours = colours
    this.#face = face
  }

  draw(ctx: CanvasRenderingContext2D, labels: FleetLabel[], pixelRatio: number): void {
    ctx.save()
    ctx.scale(pixelRatio, pixelRatio)
    ctx.font = `600 ${SIZE}px ${this.#face}`
    ctx.textBaseline = 'middle'
    ctx.lineJoin = 'round'
    ctx.lineWidth = 4
    ctx.strokeStyle = this.#colours.edge
    ctx.fillStyle = this.#colours.ring
    for (const { label, left } of placeLabels(labels, (text) => this.#widthOf(ctx, text))) {
      ctx.strokeText(label.text, left, label.y)
      ctx.fillText(label.text, left, label.y)
    }
    ctx.restore()
  }

  #widthOf(ctx: CanvasRenderingContext2D, text: string): number {
    const width = this.#widths.get(text) ?? ctx.measureText(text).width
    this.#widths.set(text, width)
    return width
  }
}
