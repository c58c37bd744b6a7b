import { type Coords, type DoneCallback, GridLayer, type TileEvent } from 'leaflet'

import type { CityPainter } from './city-painter'
import { type TileStyle, TILE } from './tile'

/** Our own base map as a tile layer: tiles are drawn, none is fetched. */
export class CityLayer extends GridLayer {
  readonly #painter: CityPainter
  readonly #scheme: TileStyle['scheme']
  readonly #cancel = new WeakMap<HTMLElement, () => void>()

  constructor(painter: CityPainter, scheme: TileStyle['scheme']) {
    super({ tileSize: TILE, updateWhenZooming: false, keepBuffer: 3, attribution: painter.credit })
    this.#painter = painter
    this.#scheme = scheme
    // The map has moved on, or is gone.
    this.on('tileunload', ({ tile }: TileEvent) => this.#cancel.get(tile)?.())
  }

  protected override createTile(at: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    const style = { scheme: this.#scheme, pixelRatio: Math.min(3, window.devicePixelRatio || 1) }
    const cancel = this.#painter.paint(at, style, (image) => {
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('bitmaprenderer', { alpha: false })?.transferFromImageBitmap(image)
      done(undefined, canvas)
    })
    this.#cancel.set(canvas, cancel)
    return canvas
  }
}
