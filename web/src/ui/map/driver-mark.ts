import { DomUtil, type Map as LeafletMap, type Point, type ZoomAnimEvent } from 'leaflet'

import type { Coordinates } from '@/lib/geolocation'

import type { MotionState } from './motion/motion'

/** The driver's mark on a map: a disc with a scooter, an arrow that turns around it, a label. */
export class DriverMark {
  readonly element: HTMLElement
  readonly #arrow: HTMLElement

  constructor(className: string, label: string) {
    this.element = DomUtil.create('div', `${className} leaflet-zoom-animated`)
    this.element.setAttribute('role', 'img')
    this.element.setAttribute('aria-label', label)
    this.element.dataset.testid = 'driver-marker'
    this.element.hidden = true
    this.#arrow = DomUtil.create('span', 'arrow', this.element)
    DomUtil.create('span', 'disc', this.element).innerHTML = SCOOTER
    DomUtil.create('span', 'label', this.element).textContent = label
  }

  /** Draws the marker at a place, turned to its heading. */
  draw(map: LeafletMap, place: Coordinates, heading: number | null): void {
    // Not rounded to whole pixels as Leaflet's own markers are: at zoom 13 one is 19 metres.
    this.#move(map.project(place, map.getZoom()).subtract(map.getPixelOrigin()))
    this.element.hidden = false
    this.#arrow.hidden = heading === null
    if (heading !== null) this.#arrow.style.transform = `rotate(${heading.toFixed(1)}deg)`
  }

  /** Says and shows how much of its place is a guess. */
  describe(state: MotionState, label: string): void {
    if (this.element.dataset.state === state) return
    this.element.dataset.state = state
    this.element.setAttribute('aria-label', label)
  }

  /** Follows an animated zoom to the place's new point on the screen. */
  zoom(map: LeafletMap, place: Coordinates, { center, zoom }: ZoomAnimEvent): void {
    const pane = map.getPane('mapPane')
    const shift = pane === undefined ? map.getPixelOrigin().multiplyBy(0) : DomUtil.getPosition(pane)
    const origin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(shift).round()
    this.#move(map.project(place, zoom).subtract(origin))
  }

  #move({ x, y }: Point): void {
    this.element.style.transform = `translate3d(${x.toFixed(2)}px, ${y.toFixed(2)}px, 0)`
  }
}

const SCOOTER =
  '<svg viewBox="0 0 24 24" width="19" height="19" fill="none" stroke="currentColor" stroke-width="1.9" ' +
  'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="6" cy="17" r="2.6"/>' +
  '<circle cx="18" cy="17" r="2.6"/><path d="M8.6 17h5.6a6 6 0 0 1 4.2-5L17 6h-3"/><path d="M4 11h7v4"/></svg>'
