import { FeatureGroup, type Map as LeafletMap, Polyline } from 'leaflet'

import type { Coordinates } from '@/lib/geolocation'

import { Route } from './motion/route'

/** Lies above the streets and below the driver's trail, whichever is drawn first. */
const PANE = { name: 'route', zIndex: '390' }
/** Metres of the route after which the line is drawn again. */
const STEP = 5

/** The basis of a route: the streets of a map, or a straight line for want of them. */
export type Basis = 'street' | 'straight'

interface ClassNames {
  edge: string
  ahead: string
  driven: string
  straight: string
}

/** A route as a line with an edge; the part behind the driver is faded. */
export class RouteLayer extends FeatureGroup {
  readonly #route: Route | null
  readonly #edge: Polyline
  readonly #ahead: Polyline
  readonly #driven: Polyline
  #along = Number.NEGATIVE_INFINITY

  constructor(points: Coordinates[], basis: Basis, classNames: ClassNames) {
    const line = (className: string) =>
      new Polyline([], {
        className: basis === 'straight' ? `${className} ${classNames.straight}` : className,
        interactive: false,
        pane: PANE.name,
      })
    const [driven, edge, ahead] = [line(classNames.driven), line(classNames.edge), line(classNames.ahead)]
    super([driven, edge, ahead])
    this.#route = Route.of(points)
    this.#driven = driven
    this.#edge = edge
    this.#ahead = ahead
    this.show(0)
  }

  override onAdd(map: LeafletMap): this {
    if (map.getPane(PANE.name) === undefined) map.createPane(PANE.name).style.zIndex = PANE.zIndex
    return super.onAdd(map)
  }

  /** Draws the route with so many metres behind the driver; null leaves it as it is. */
  show(along: number | null): void {
    if (along === null || this.#route === null || Math.abs(along - this.#along) < STEP) return
    this.#along = along
    const [driven, ahead] = this.#route.split(along)
    this.#driven.setLatLngs(along > 0 ? driven : [])
    this.#edge.setLatLngs(ahead)
    this.#ahead.setLatLngs(ahead)
  }
}
