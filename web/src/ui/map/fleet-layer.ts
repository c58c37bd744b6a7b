import { DomUtil, Layer, type LeafletMouseEvent, type Map as LeafletMap, type ZoomAnimEvent } from 'leaflet'

import type { Coordinates } from '@/lib/geolocation'

import type { Position } from './position-source'
import { Fleet } from './fleet'
import { type FleetLabel, FleetLabels } from './fleet-labels'
import { isKnown } from './geo'
import { type FleetColours, Sprites } from './sprites'

/** The distance in CSS pixels within which a press hits a marker. */
const REACH = 16
/** The interval of noting the drawn markers on the canvas, in milliseconds. */
const REPORT = 1000
/** The width of the world in pixels at zoom 0. */
const WORLD = 256

/** The interval of drawing, in milliseconds: drivers of a whole town move a pixel in two seconds. */
const DRAW = 30
/** The strength of a marker: a guess is softer. */
const STRENGTH = { measured: 1, guessing: 0.6, lost: 0.3 }

/** A marker to be shown. */
export interface Member extends Coordinates {
  id: string
  kind: number
  /** The street ahead. */
  route?: Coordinates[]
  /** The shift from its place in CSS pixels, where others are at the same place. */
  shift?: Shift
  names: MarkerNames
}

interface MarkerNames {
  /** The name where there is room for one. */
  short: string
  /** The name of a marker that is picked or pointed at. */
  full: string
}

interface Shift {
  x: number
  y: number
}

const NO_SHIFT: Shift = { x: 0, y: 0 }

/** Every driver on one canvas: drawn past React, as often as the screen is. */
export class FleetLayer extends Layer {
  #onPick: (id: string | null) => void = () => {}
  readonly #canvas = DomUtil.create('canvas', 'leaflet-zoom-animated')
  readonly #fleet = new Fleet()
  /** The kinds of the drivers that are shown once their position is known. */
  #kinds: ReadonlyMap<string, number> = new Map()
  #shifts: ReadonlyMap<string, Shift> = new Map()
  #names: ReadonlyMap<string, MarkerNames> = new Map()
  #sprites: Sprites | null = null
  #labels: FleetLabels | null = null
  #frame: number | undefined
  #timer: number | undefined
  #drawn = 0
  #reported = 0
  #zooming = false
  #selected: string | null = null
  /** The marker under the pointer. */
  #hovered: string | null = null

  constructor() {
    super()
    this.#canvas.dataset.testid = 'fleet'
    this.#canvas.style.pointerEvents = 'none'
  }

  /** The way of drawing; with reduced motion, markers move with positions only. */
  setStyle(colours: FleetColours, reducedMotion: boolean): void {
    this.#sprites = new Sprites(colours, window.devicePixelRatio || 1)
    this.#labels = new FleetLabels(colours, getComputedStyle(this.#canvas).fontFamily)
    this.#fleet.setJumps(reducedMotion)
    this.#redraw()
  }

  /** The drivers under way now; markers of others are removed. */
  setMembers(members: Member[]): void {
    this.#kinds = new Map(members.map(({ id, kind }) => [id, kind]))
    this.#shifts = new Map(members.flatMap(({ id, shift }) => (shift === undefined ? [] : [[id, shift]])))
    this.#names = new Map(members.map(({ id, names }) => [id, names]))
    for (const member of members) {
      if (isKnown(member)) this.#fleet.put(member.id, member, member.kind)
      this.#fleet.setRoute(member.id, member.route, performance.now())
    }
    this.#fleet.keepOnly(this.#kinds)
    this.#redraw()
  }

  /** Takes a newer position, of those who are shown. */
  move(id: string, position: Position): void {
    const kind = this.#kinds.get(id)
    if (kind === undefined || !isKnown(position)) return
    this.#fleet.put(id, position, kind)
    this.#fleet.move(id, position, performance.now())
    this.#request()
  }

  /** Reports a press on a marker, or on the map beside them all. */
  onPick(onPick: (id: string | null) => void): void {
    this.#onPick = onPick
  }

  select(id: string | null): void {
    this.#selected = id
    this.#redraw()
  }

  /** The place of a marker as it is drawn. */
  placeOf(id: string): Coordinates | null {
    const marker = this.#fleet.get(id)
    if (marker === undefined) return null
    const south = Math.PI * (1 - 2 * marker.y)
    return { lat: (Math.atan(Math.sinh(south)) * 180) / Math.PI, lng: marker.x * 360 - 180 }
  }

  override onAdd(map: LeafletMap): this {
    this.getPane('overlayPane')?.append(this.#canvas)
    map.on('move resize viewreset zoomend', this.#onMove).on('zoomanim', this.#onZoom).on('click', this.#onClick)
    map.on('mousemove', this.#onHover).on('mouseout', this.#onLeave)
    this.#request()
    return this
  }

  override onRemove(map: LeafletMap): this {
    map.off('move resize viewreset zoomend', this.#onMove).off('zoomanim', this.#onZoom).off('click', this.#onClick)
    map.off('mousemove', this.#onHover).off('mouseout', this.#onLeave)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    window.clearTimeout(this.#timer)
    this.#frame = undefined
    this.#canvas.remove()
    return this
  }

  readonly #onMove = (): void => {
    this.#zooming = false
    this.#redraw()
  }

  /** Follows an animated zoom as the picture it is; the next frame after it is drawn again. */
  readonly #onZoom = ({ center, zoom }: ZoomAnimEvent): void => {
    const map = this._map
    this.#zooming = true
    const scale = map.getZoomScale(zoom, map.getZoom())
    const pane = map.getPane('mapPane')
    const shift = pane === undefined ? map.getPixelOrigin().multiplyBy(0) : DomUtil.getPosition(pane)
    const origin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(shift).round()
    const corner = map.project(map.containerPointToLatLng([0, 0]), zoom).subtract(origin)
    DomUtil.setTransform(this.#canvas, corner, scale)
  }

  readonly #onClick = ({ containerPoint }: LeafletMouseEvent): void => {
    this.#onPick(this.#nearest(containerPoint))
  }

  readonly #onHover = ({ containerPoint }: LeafletMouseEvent): void => {
    this.#hover(this.#nearest(containerPoint))
  }

  readonly #onLeave = (): void => {
    this.#hover(null)
  }

  #hover(id: string | null): void {
    if (id === this.#hovered) return
    this.#hovered = id
    this._map.getContainer().style.cursor = id === null ? '' : 'pointer'
    this.#canvas.dataset.hovered = (id === null ? undefined : this.#names.get(id)?.full) ?? ''
    this.#redraw()
  }

  /** The marker within reach of a point. */
  #nearest(point: LeafletMouseEvent['containerPoint']): string | null {
    const map = this._map
    const world = WORLD * 2 ** map.getZoom()
    const corner = map.project(map.containerPointToLatLng([0, 0]))
    let nearest: string | null = null
    let distance = REACH
    for (const marker of this.#fleet.all()) {
      const shift = this.#shifts.get(marker.id) ?? NO_SHIFT
      const x = marker.x * world - corner.x + shift.x
      const y = marker.y * world - corner.y + shift.y
      const away = Math.hypot(x - point.x, y - point.y)
      if (away < distance) [nearest, distance] = [marker.id, away]
    }
    return nearest
  }

  readonly #request = (): void => {
    window.clearTimeout(this.#timer)
    this.#frame ??= requestAnimationFrame(this.#onFrame)
  }

  /** Draws the next frame, however short ago the last one was. */
  #redraw(): void {
    this.#drawn = 0
    this.#request()
  }

  readonly #onFrame = (now: number): void => {
    this.#frame = undefined
    if (this.#zooming) return
    if (now - this.#drawn < DRAW) {
      this.#request()
      return
    }
    this.#drawn = now
    const next = this.#fleet.advance(performance.now())
    this.#draw(now)
    if (next <= performance.now()) this.#request()
    else if (Number.isFinite(next)) this.#timer = window.setTimeout(this.#request, next - performance.now())
  }

  #draw(now: number): void {
    const map = this._map
    const sprites = this.#sprites
    if (!map || sprites === null) return
    const { x: width, y: height } = map.getSize()
    const pixelRatio = Math.min(2, window.devicePixelRatio || 1)
    const canvas = this.#canvas
    if (canvas.width !== Math.round(width * pixelRatio) || canvas.height !== Math.round(height * pixelRatio)) {
      canvas.width = Math.round(width * pixelRatio)
      canvas.height = Math.round(height * pixelRatio)
      canvas.style.width = `${width}px`
      canvas.style.height = `${height}px`
    }
    DomUtil.setTransform(canvas, map.containerPointToLayerPoint([0, 0]), 1)
    const ctx = canvas.getContext('2d')
    if (ctx === null) return
    ctx.clearRect(0, 0, canvas.width, canvas.height)
    const world = WORLD * 2 ** map.getZoom() * pixelRatio
    const corner = map.project(map.containerPointToLatLng([0, 0]))
    const [left, top] = [corner.x * pixelRatio, corner.y * pixelRatio]
    const labels: FleetLabel[] = []
    for (const marker of this.#fleet.all()) {
      const shift = this.#shifts.get(marker.id) ?? NO_SHIFT
      const x = marker.x * world - left + shift.x * pixelRatio
      const y = marker.y * world - top + shift.y * pixelRatio
      if (x < -40 || y < -40 || x > canvas.width + 40 || y > canvas.height + 40) continue
      if (marker.id === this.#selected) sprites.ring(ctx, x, y)
      ctx.globalAlpha = STRENGTH[marker.state]
      sprites.draw(ctx, x, y, marker.kind, marker.heading)
      ctx.globalAlpha = 1
      const isFirst = marker.id === this.#selected || marker.id === this.#hovered
      const names = this.#names.get(marker.id)
      if (names !== undefined) labels.push({ text: isFirst ? names.full : names.short, x: x / pixelRatio, y: y / pixelRatio, isFirst })
    }
    this.#labels?.draw(ctx, labels, pixelRatio)
    this.#report(now)
  }

  /** The content of the canvas, for those who can't see it. */
  #report(now: number): void {
    if (now - this.#reported < REPORT) return
    this.#reported = now
    this.#canvas.dataset.drivers = String(this.#fleet.size)
    this.#canvas.dataset.positions = String(this.#fleet.moves)
  }
}
