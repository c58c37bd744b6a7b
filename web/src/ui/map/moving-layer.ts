import { Layer, type Map as LeafletMap, Polyline, type ZoomAnimEvent } from 'leaflet'

import type { Coordinates } from '@/lib/geolocation'

import { DriverMark } from './driver-mark'
import type { Position } from './position-source'
import { distance, isKnown } from './geo'
import { Motion, type MotionState } from './motion/motion'

/** The mark left in the frame that first draws a position: `detail` is `{deliveryId, at, lat, lng}`. */
const PAINTED = 'tiffin:position-painted'

/** The number of marks kept for measurements. */
const MARKS = 2000
/** The length of the drawn way behind the driver, in points, and the metres between two of them. */
const TRAIL = 1500
const STEP = 10
/** Positions that wait for a frame: a hidden page draws none, for hours perhaps. */
const WAITING = 900

interface Options {
  deliveryId: string
  /** The name of the marker for each state. */
  labels: Record<MotionState, string>
  /** Moves with positions only, at once. */
  reducedMotion: boolean
  className: string
  trailClassName: string
  /** Called with each place that is drawn, and the metres of the route behind it. */
  onMove: (place: Coordinates, along: number | null) => void
  /** Called when the driver leaves the route. */
  onOffRoute: () => void
}

/** The driver on the map: a marker that moves on along the street between positions, and the way behind it. */
export class MovingLayer extends Layer {
  readonly #options: Options
  readonly #motion: Motion
  readonly #mark: DriverMark
  readonly #trail: Polyline
  readonly #head: Polyline
  #passed: Coordinates[] = []
  #undrawn: Position[] = []
  #isOffRoute = false
  #frame: number | undefined
  #timer: number | undefined
  #marks = 0

  constructor(options: Options) {
    super()
    this.#options = options
    this.#motion = new Motion({ jumps: options.reducedMotion })
    this.#mark = new DriverMark(options.className, options.labels.measured)
    const line = { className: options.trailClassName, interactive: false, smoothFactor: 1.2 }
    this.#trail = new Polyline([], line)
    this.#head = new Polyline([], line)
  }

  /** Sets the street ahead; null where it is unknown. */
  setRoute(points: Coordinates[] | null): void {
    this.#motion.setRoute(points, performance.now())
    this.#isOffRoute = false
    this.#request()
  }

  /** Takes a newer position; it is drawn in the next frame. */
  push(position: Position): void {
    if (!isKnown(position)) return
    this.#motion.push(position, performance.now())
    this.#undrawn = [...this.#undrawn, position].slice(-WAITING)
    this.#request()
  }

  /** The place of the marker now. */
  get place(): Coordinates | null {
    return this.#motion.at(performance.now())?.place ?? null
  }

  override onAdd(map: LeafletMap): this {
    this.#trail.addTo(map)
    this.#head.addTo(map)
    this.getPane('markerPane')?.append(this.#mark.element)
    map.on('zoom viewreset', this.#draw).on('zoomanim', this.#onZoomStart)
    this.#request()
    return this
  }

  override onRemove(map: LeafletMap): this {
    map.off('zoom viewreset', this.#draw).off('zoomanim', this.#onZoomStart)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    window.clearTimeout(this.#timer)
    this.#frame = undefined
    this.#trail.remove()
    this.#head.remove()
    this.#mark.element.remove()
    return this
  }

  readonly #onZoomStart = (event: ZoomAnimEvent): void => {
    const { place } = this
    if (place !== null && this._map) this.#mark.zoom(this._map, place, event)
  }

  readonly #request = (): void => {
    window.clearTimeout(this.#timer)
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#draw()
      for (const position of this.#undrawn) this.#record(position)
      this.#undrawn = []
      this.#wait()
    })
  }

  /** Draws the next frame at once while the marker moves, else once its state changes. */
  #wait(): void {
    const now = performance.now()
    const next = this.#motion.nextChange(now)
    if (next <= now) this.#request()
    else if (Number.isFinite(next)) this.#timer = window.setTimeout(this.#request, next - now)
  }

  #record({ at, lat, lng }: Position): void {
    Object.assign(this.#mark.element.dataset, { at, lat: String(lat), lng: String(lng) })
    this.#marks += 1
    if (this.#marks % MARKS === 0) performance.clearMarks(PAINTED)
    performance.mark(PAINTED, { detail: { deliveryId: this.#options.deliveryId, at, lat, lng } })
  }

  readonly #draw = (): void => {
    const map = this._map
    const now = performance.now()
    const moment = this.#motion.at(now)
    if (moment === null || !map) return
    const { place, heading, state, offRoute } = moment
    this.#mark.draw(map, place, heading)
    this.#mark.describe(state, this.#options.labels[state])
    this.#extendTrail(place)
    this.#options.onMove(place, this.#motion.alongAt(now))
    if (offRoute && !this.#isOffRoute) this.#options.onOffRoute()
    this.#isOffRoute = offRoute
  }

  #extendTrail(place: Coordinates): void {
    const last = this.#passed.at(-1)
    if (last === undefined || distance(last, place) >= STEP) {
      this.#passed = [...this.#passed, place].slice(-TRAIL)
      this.#trail.setLatLngs(this.#passed)
    }
    this.#head.setLatLngs([this.#passed.at(-1) ?? place, place])
  }
}
