import { type Coords, type DoneCallback, GridLayer, type Map as LeafletMap } from 'leaflet'

import type { City } from './city-data'
import { Names } from './city-names'
import { paintCity, type View } from './city-paint'
import type { Palette } from './palette'

const TILE = 256

/** Our own base map as a tile layer: each tile is drawn here, none is fetched. */
export class CityLayer extends GridLayer {
  readonly #city: City
  readonly #colours: Palette
  readonly #names = new Map<number, Names>()
  /** What is to be drawn, the ground of a tile and then its names: in between the browser can answer a touch. */
  #waiting: (() => void)[] = []

  constructor(city: City, colours: Palette) {
    super({ tileSize: TILE, updateWhenZooming: false, keepBuffer: 3, attribution: city.credit })
    this.#city = city
    this.#colours = colours
  }

  override onRemove(map: LeafletMap): this {
    this.#waiting = []
    return super.onRemove(map)
  }

  protected override createTile(at: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    const view: View = { world: TILE * 2 ** at.z, zoom: at.z, left: at.x * TILE, top: at.y * TILE, size: TILE }
    let ctx: CanvasRenderingContext2D | null = null
    this.#soon(() => {
      // The map may have moved on meanwhile.
      if (canvas.isConnected) ctx = this.#ground(canvas, view)
    })
    this.#soon(() => this.#namesOf(at.z))
    this.#soon(() => {
      if (ctx === null) return
      this.#namesOf(at.z).paint(ctx, view, this.#colours)
      done(undefined, canvas)
    })
    return canvas
  }

  #soon(work: () => void) {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) setTimeout(this.#next)
  }

  readonly #next = () => {
    const work = this.#waiting.shift()
    if (this.#waiting.length > 0) setTimeout(this.#next)
    work?.()
  }

  #ground(canvas: HTMLCanvasElement, view: View): CanvasRenderingContext2D | null {
    const sharpness = Math.min(3, window.devicePixelRatio || 1)
    canvas.width = Math.ceil(TILE * sharpness)
    canvas.height = canvas.width
    const ctx = canvas.getContext('2d', { alpha: false })
    if (ctx === null) return null
    ctx.scale(canvas.width / TILE, canvas.width / TILE)
    paintCity(ctx, view, this.#city, this.#colours)
    return ctx
  }

  #namesOf(zoom: number): Names {
    const known = this.#names.get(zoom)
    if (known !== undefined) return known
    const made = new Names(this.#city, zoom)
    this.#names.set(zoom, made)
    return made
  }
}
