import { type City, metre, type Point, type Shape } from './city-data'
import type { Palette } from './palette'
import { TILE, type TileCoords } from './tile'

/** A tile's view of the city: world pixels of its zoom, and its begin in them. */
export interface View {
  /** Pixels of the whole mercator square. */
  world: number
  zoom: number
  left: number
  top: number
  size: number
}

export function viewOf({ x, y, z }: TileCoords): View {
  return { world: TILE * 2 ** z, zoom: z, left: x * TILE, top: y * TILE, size: TILE }
}

const roadWidth: Record<'trunk' | 'main' | 'street', (zoom: number) => number> = {
  trunk: (zoom) => widthAt(zoom, [1.6, 2.6, 3.8, 5.6, 8.5, 12.5, 18, 26]),
  main: (zoom) => widthAt(zoom, [0.9, 1.6, 2.6, 4.4, 7, 10.5, 15.5, 23]),
  street: (zoom) => widthAt(zoom, [0, 0.5, 1.1, 2.2, 4.4, 7.5, 12, 18]),
}

/** Picks the width of a zoom from a list that begins with zoom 11. */
function widthAt(zoom: number, widths: number[]): number {
  return widths[Math.min(widths.length - 1, Math.max(0, zoom - 11))] ?? 0
}

function isVisible(shape: Shape, view: View, margin: number): boolean {
  const { box } = shape
  return (
    box.right * view.world > view.left - margin &&
    box.left * view.world < view.left + view.size + margin &&
    box.bottom * view.world > view.top - margin &&
    box.top * view.world < view.top + view.size + margin
  )
}

function trace(ctx: OffscreenCanvasRenderingContext2D, view: View, lines: Point[][], close = false): void {
  ctx.beginPath()
  for (const line of lines) {
    line.forEach(([x, y], index) => {
      const left = x * view.world - view.left
      const top = y * view.world - view.top
      if (index === 0) ctx.moveTo(left, top)
      else ctx.lineTo(left, top)
    })
    if (close) ctx.closePath()
  }
}

function stroke(ctx: OffscreenCanvasRenderingContext2D, colour: string, width: number, dash: number[] = []): void {
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  ctx.setLineDash(dash)
  ctx.stroke()
}

/** Draws everything but the names into a tile. */
export function paintCity(ctx: OffscreenCanvasRenderingContext2D, view: View, city: City, colours: Palette): void {
  ctx.lineJoin = 'round'
  ctx.lineCap = 'round'
  const shapes = city.shapes.filter((shape) => isVisible(shape, view, 60))
  const shapesOf = (kind: Shape['kind']) => shapes.filter((shape) => shape.kind === kind)

  paintGround(ctx, view, city, colours, shapesOf('land'))
  for (const shape of [...shapesOf('quay'), ...shapesOf('sand'), ...shapesOf('park')]) {
    trace(ctx, view, shape.lines, true)
    ctx.fillStyle = shape.kind === 'park' ? (shape.wet ? colours.wet : colours.park) : colours[shape.kind === 'quay' ? 'quay' : 'sand']
    ctx.fill()
  }
  for (const mole of shapesOf('mole')) {
    trace(ctx, view, mole.lines)
    stroke(ctx, colours.mole, widthAt(view.zoom, [1, 1.4, 2, 3, 4.5, 7, 11, 16]))
  }
  paintWater(ctx, view, colours, [...shapesOf('canal'), ...shapesOf('river')], shapesOf('water'))
  paintRail(ctx, view, colours, shapesOf('rail'))
  paintRoads(ctx, view, colours, shapesOf('road'))
}

/** Sea within the drawn region, land beyond it: further out there is paper, not a wrong ocean. */
function paintGround(ctx: OffscreenCanvasRenderingContext2D, view: View, city: City, colours: Palette, land: Shape[]): void {
  const { box } = city
  ctx.fillStyle = colours.land
  ctx.fillRect(0, 0, view.size, view.size)
  ctx.save()
  ctx.beginPath()
  ctx.rect(
    box.left * view.world - view.left,
    box.top * view.world - view.top,
    (box.right - box.left) * view.world,
    (box.bottom - box.top) * view.world,
  )
  ctx.clip()
  ctx.fillStyle = colours.sea
  ctx.fillRect(0, 0, view.size, view.size)
  for (const shape of land) {
    trace(ctx, view, shape.lines, true)
    for (const width of [46, 26, 11]) stroke(ctx, colours.shallow, width)
  }
  for (const shape of land) {
    trace(ctx, view, shape.lines, true)
    stroke(ctx, colours.shore, 1.6)
    ctx.fillStyle = colours.land
    ctx.fill()
  }
  ctx.restore()
}

function paintWater(ctx: OffscreenCanvasRenderingContext2D, view: View, colours: Palette, streams: Shape[], lakes: Shape[]): void {
  ctx.lineCap = 'butt'
  const widthOf = (shape: Shape) => {
    const metres = (shape.width ?? 10) * metre((shape.box.top + shape.box.bottom) / 2) * view.world
    return Math.max(shape.kind === 'river' ? 2.5 : 1.2, metres)
  }
  for (const shape of streams) {
    trace(ctx, view, shape.lines)
    stroke(ctx, colours.waterEdge, widthOf(shape) + 1.4)
  }
  for (const shape of lakes) {
    trace(ctx, view, shape.lines, true)
    stroke(ctx, colours.waterEdge, 1.4)
    ctx.fillStyle = colours.water
    ctx.fill('evenodd')
  }
  for (const shape of streams) {
    trace(ctx, view, shape.lines)
    stroke(ctx, colours.water, widthOf(shape))
  }
  ctx.lineCap = 'round'
}

function paintRail(ctx: OffscreenCanvasRenderingContext2D, view: View, colours: Palette, rails: Shape[]): void {
  const width = widthAt(view.zoom, [0.8, 1, 1.6, 2.2, 3, 4, 5, 6])
  ctx.lineCap = 'butt'
  for (const shape of rails) {
    trace(ctx, view, shape.lines)
    stroke(ctx, colours.rail, width)
    if (view.zoom >= 13) stroke(ctx, colours.railTie, width - 1, [width * 3, width * 3])
  }
  ctx.setLineDash([])
  ctx.lineCap = 'round'
}

function paintRoads(ctx: OffscreenCanvasRenderingContext2D, view: View, colours: Palette, roads: Shape[]): void {
  const classes = ['street', 'main', 'trunk'] as const
  const layers = classes.map((name) => ({
    paint: colours.road[name],
    width: roadWidth[name](view.zoom),
    edged: name !== 'street' || view.zoom >= 14,
    roads: roads.filter((road) => road.class === name),
  }))
  for (const { paint, width, edged, roads: here } of layers) {
    if (width === 0 || !edged) continue
    for (const road of here) {
      trace(ctx, view, road.lines)
      stroke(ctx, paint.edge, width + (view.zoom < 14 ? 1.2 : 2))
    }
  }
  for (const { paint, width, edged, roads: here } of layers) {
    if (width === 0) continue
    for (const road of here) {
      trace(ctx, view, road.lines)
      stroke(ctx, edged ? paint.fill : paint.edge, width)
    }
  }
}
