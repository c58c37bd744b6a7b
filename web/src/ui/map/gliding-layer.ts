import { Layer, type Map as LeafletMap, Polyline, type ZoomAnimEvent } from 'leaflet'

import type { Coordinates } from '@/lib/geolocation'

import { DriverMark } from './driver-mark'
import type { Position } from './position-source'
import { isKnown } from './geo'
import { type Glide, glideDuration, headingAt, headingOf, placeAt, progress } from './glide'

/** The mark left in the frame that first draws a position: `detail` is `{deliveryId, at, lat, lng}`. */
const PAINTED = 'tiffin:position-painted'

/** The number of marks kept for measurements. */
const MARKS = 2000
/** The length of the drawn way, in positions. */
const TRAIL = 900

interface Options {
  deliveryId: string
  label: string
  /** Jumps instead of gliding. */
  reducedMotion: boolean
  className: string
  trailClassName: string
  /** Called with each place that is drawn. */
  onMove?: (place: Coordinates) => void
}

/** The driver on the map: a marker that glides from position to position, and the way behind it. */
export class GlidingLayer extends Layer {
  readonly #options: Options
  readonly #mark: DriverMark
  readonly #trail: Polyline
  readonly #head: Polyline
  #passed: Coordinates[] = []
  #pending: { position: Position; arrived: number }[] = []
  #glide: Glide | null = null
  #lastArrival: number | undefined
  #frame: number | undefined
  #marks = 0

  constructor(options: Options) {
    super()
    this.#options = options
    this.#mark = new DriverMark(options.className, options.label)
    const line = { className: options.trailClassName, interactive: false, smoothFactor: 1.2 }
    this.#trail = new Polyline([], line)
    this.#head = new Polyline([], line)
  }

  /** Takes a newer position; it is drawn in the next frame. */
  push(position: Position): void {
    if (!isKnown(position)) return
    this.#pending.push({ position, arrived: performance.now() })
    // A hidden page draws no frames, for hours perhaps.
    if (this.#pending.length > TRAIL) this.#pending.shift()
    this.#request()
  }

  /** The drawn place of the marker now. */
  get place(): Coordinates | null {
    return this.#glide === null ? null : placeAt(this.#glide, performance.now())
  }

  override onAdd(map: LeafletMap): this {
    this.#trail.addTo(map)
    this.#head.addTo(map)
    this.getPane('markerPane')?.append(this.#mark.element)
    map.on('zoom viewreset', this.#onZoom).on('zoomanim', this.#onZoomStart)
    this.#request()
    return this
  }

  override onRemove(map: LeafletMap): this {
    map.off('zoom viewreset', this.#onZoom).off('zoomanim', this.#onZoomStart)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    this.#trail.remove()
    this.#head.remove()
    this.#mark.element.remove()
    return this
  }

  readonly #onZoom = (): void => {
    this.#draw()
  }

  readonly #onZoomStart = (event: ZoomAnimEvent): void => {
    const place = this.place
    if (place !== null && this._map) this.#mark.zoom(this._map, place, event)
  }

  #request(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#applyPending()
      this.#draw()
      if (this.#glide !== null && progress(this.#glide, performance.now()) < 1) this.#request()
    })
  }

  /** Makes the newest position the target, so that this very frame begins to move there. */
  #applyPending(): void {
    for (const { position, arrived } of this.#pending) {
      const target = { lat: position.lat, lng: position.lng }
      const now = performance.now()
      const from = this.#glide === null ? target : placeAt(this.#glide, now)
      const fromHeading = this.#glide === null ? null : headingAt(this.#glide, now)
      const interval = this.#lastArrival === undefined ? undefined : arrived - this.#lastArrival
      this.#lastArrival = arrived
      this.#glide = {
        from,
        to: target,
        fromHeading,
        toHeading: headingOf(position.heading, this.#glide?.to ?? target, target, fromHeading),
        start: arrived,
        duration: this.#options.reducedMotion ? 0 : glideDuration(interval),
      }
      this.#passed = [...this.#passed, target].slice(-TRAIL)
      this.#record(position)
    }
    if (this.#pending.length === 0) return
    this.#pending = []
    this.#trail.setLatLngs(this.#passed.slice(0, -1))
  }

  #record({ at, lat, lng }: Position): void {
    Object.assign(this.#mark.element.dataset, { at, lat: String(lat), lng: String(lng) })
    this.#marks += 1
    if (this.#marks % MARKS === 0) performance.clearMarks(PAINTED)
    performance.mark(PAINTED, { detail: { deliveryId: this.#options.deliveryId, at, lat, lng } })
  }

  #draw(): void {
    const map = this._map
    if (this.#glide === null || !map) return
    const now = performance.now()
    const place = placeAt(this.#glide, now)
    this.#mark.draw(map, place, headingAt(this.#glide, now))
    const before = this.#passed.at(-2)
    if (before !== undefined) this.#head.setLatLngs([before, place])
    this.#options.onMove?.(place)
  }
}
