import { type Coords, type DoneCallback, GridLayer, type TileEvent } from 'leaflet'

import type { CityPainter } from './city-painter'
import { type Look, TILE } from './tile'

/** Our own base map as a tile layer: tiles are drawn, none is fetched. */
export class CityLayer extends GridLayer {
  readonly #painter: CityPainter
  readonly #scheme: Look['scheme']
  readonly #leave = new WeakMap<HTMLElement, () => void>()

  constructor(painter: CityPainter, scheme: Look['scheme']) {
    super({ tileSize: TILE, updateWhenZooming: false, keepBuffer: 3, attribution: painter.credit })
    this.#painter = painter
    this.#scheme = scheme
    // The map has moved on, or is gone.
    this.on('tileunload', ({ tile }: TileEvent) => this.#leave.get(tile)?.())
  }

  protected override createTile(at: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    const look = { scheme: this.#scheme, sharpness: Math.min(3, window.devicePixelRatio || 1) }
    const leave = this.#painter.paint(at, look, (image) => {
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('bitmaprenderer', { alpha: false })?.transferFromImageBitmap(image)
      done(undefined, canvas)
    })
    this.#leave.set(canvas, leave)
    return canvas
  }
}
