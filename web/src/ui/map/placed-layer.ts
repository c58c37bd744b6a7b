import { Layer, type Map as LeafletMap, Polyline, type ZoomAnimEvent } from 'leaflet'

import type { Coordinates } from '@/lib/geolocation'

import { DriverMark } from './driver-mark'

/** The driver's place at a moment, and the way until then. */
export interface Placed {
  place: Coordinates
  /** Degrees clockwise from north; null where that is unknown. */
  heading: number | null
  trail: Coordinates[]
}

/** The driver at a chosen moment, placed at once. */
export class PlacedLayer extends Layer {
  readonly #mark: DriverMark
  readonly #trail: Polyline
  #placed: Placed | null = null

  constructor(label: string, className: string, trailClassName: string) {
    super()
    this.#mark = new DriverMark(className, label)
    this.#trail = new Polyline([], { className: trailClassName, interactive: false, smoothFactor: 1.2 })
  }

  /** Null hides it. */
  put(placed: Placed | null): void {
    this.#placed = placed
    this.#trail.setLatLngs(placed?.trail ?? [])
    this.#draw()
  }

  override onAdd(map: LeafletMap): this {
    this.#trail.addTo(map)
    this.getPane('markerPane')?.append(this.#mark.element)
    map.on('zoom viewreset', this.#draw).on('zoomanim', this.#onZoomStart)
    this.#draw()
    return this
  }

  override onRemove(map: LeafletMap): this {
    map.off('zoom viewreset', this.#draw).off('zoomanim', this.#onZoomStart)
    this.#trail.remove()
    this.#mark.element.remove()
    return this
  }

  readonly #draw = (): void => {
    const { element } = this.#mark
    if (this.#placed === null) element.hidden = true
    else if (this._map) {
      const { place, heading } = this.#placed
      Object.assign(element.dataset, { lat: String(place.lat), lng: String(place.lng) })
      this.#mark.draw(this._map, place, heading)
    }
  }

  readonly #onZoomStart = (event: ZoomAnimEvent): void => {
    if (this.#placed !== null && this._map) this.#mark.zoom(this._map, this.#placed.place, event)
  }
}
