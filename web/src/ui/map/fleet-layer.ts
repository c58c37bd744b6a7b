import { DomUtil, Layer, type LeafletMouseEvent, type Map as LeafletMap, type ZoomAnimEvent } from 'leaflet'

import type { Fix } from './fixes'
import { Fleet, part } from './fleet'
import { isKnown, type Place } from './geo'
import { type FleetColours, Sprites } from './sprites'

/** The distance in CSS pixels within which a press hits a marker. */
const REACH = 16
/** The interval of noting the drawn markers on the canvas, in milliseconds. */
const REPORT = 1000
/** The width of the world in pixels at zoom 0. */
const WORLD = 256

/** A marker to be shown. */
export interface Member extends Place {
  id: string
  kind: number
}

/** Every driver on one canvas: drawn past React, as often as the screen is. */
export class FleetLayer extends Layer {
  #onPick: (id: string | null) => void = () => {}
  readonly #canvas = DomUtil.create('canvas', 'leaflet-zoom-animated')
  readonly #fleet = new Fleet()
  /** The looks of those who are shown as soon as it is known where they are. */
  #kinds: ReadonlyMap<string, number> = new Map()
  #sprites: Sprites | null = null
  #still = false
  #frame: number | undefined
  #reported = 0
  #zooming = false
  #picked: string | null = null

  constructor() {
    super()
    this.#canvas.dataset.testid = 'fleet'
    this.#canvas.style.pointerEvents = 'none'
  }

  /** The way of drawing; `still` jumps instead of gliding. */
  look(colours: FleetColours, still: boolean): void {
    this.#sprites = new Sprites(colours, window.devicePixelRatio || 1)
    this.#still = still
    this.#request()
  }

  /** The drivers under way now; markers of others are removed. */
  show(members: Member[]): void {
    this.#kinds = new Map(members.map(({ id, kind }) => [id, kind]))
    for (const member of members) if (isKnown(member)) this.#fleet.put(member.id, member, member.kind)
    this.#fleet.keepOnly(this.#kinds)
    this.#request()
  }

  /** Takes a newer position, of those who are shown. */
  move(id: string, fix: Fix): void {
    const kind = this.#kinds.get(id)
    if (kind === undefined || !isKnown(fix)) return
    this.#fleet.put(id, fix, kind)
    this.#fleet.move(id, fix, fix.heading, performance.now(), this.#still)
    this.#request()
  }

  /** Reports a press on a marker, or on the map beside them all. */
  listen(onPick: (id: string | null) => void): void {
    this.#onPick = onPick
  }

  pick(id: string | null): void {
    this.#picked = id
    this.#request()
  }

  /** The destination of a marker's glide. */
  placeOf(id: string): Place | null {
    const craft = this.#fleet.get(id)
    if (craft === undefined) return null
    const south = Math.PI * (1 - 2 * craft.toY)
    return { lat: (Math.atan(Math.sinh(south)) * 180) / Math.PI, lng: craft.toX * 360 - 180 }
  }

  override onAdd(map: LeafletMap): this {
    this.getPane('overlayPane')?.append(this.#canvas)
    map.on('move resize viewreset zoomend', this.#onMove).on('zoomanim', this.#onZoom).on('click', this.#onClick)
    this.#request()
    return this
  }

  override onRemove(map: LeafletMap): this {
    map.off('move resize viewreset zoomend', this.#onMove).off('zoomanim', this.#onZoom).off('click', this.#onClick)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    this.#canvas.remove()
    return this
  }

  readonly #onMove = (): void => {
    this.#zooming = false
    this.#request()
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
    const map = this._map
    const world = WORLD * 2 ** map.getZoom()
    const corner = map.project(map.containerPointToLatLng([0, 0]))
    const now = performance.now()
    let nearest: string | null = null
    let distance = REACH
    for (const craft of this.#fleet.all()) {
      const gone = part(craft, now)
      const x = (craft.fromX + (craft.toX - craft.fromX) * gone) * world - corner.x
      const y = (craft.fromY + (craft.toY - craft.fromY) * gone) * world - corner.y
      const away = Math.hypot(x - containerPoint.x, y - containerPoint.y)
      if (away < distance) [nearest, distance] = [craft.id, away]
    }
    this.#onPick(nearest)
  }

  #request(): void {
    this.#frame ??= requestAnimationFrame(this.#onFrame)
  }

  readonly #onFrame = (now: number): void => {
    this.#frame = undefined
    if (!this.#zooming) this.#draw(now)
    if (this.#fleet.isMoving(now)) this.#request()
  }

  #draw(now: number): void {
    const map = this._map
    const sprites = this.#sprites
    if (!map || sprites === null) return
    const { x: width, y: height } = map.getSize()
    const sharpness = Math.min(2, window.devicePixelRatio || 1)
    const canvas = this.#canvas
    if (canvas.width !== Math.round(width * sharpness) || canvas.height !== Math.round(height * sharpness)) {
      canvas.width = Math.round(width * sharpness)
      canvas.height = Math.round(height * sharpness)
      canvas.style.width = `${width}px`
      canvas.style.height = `${height}px`
    }
    DomUtil.setTransform(canvas, map.containerPointToLayerPoint([0, 0]), 1)
    const ctx = canvas.getContext('2d')
    if (ctx === null) return
    ctx.clearRect(0, 0, canvas.width, canvas.height)
    const world = WORLD * 2 ** map.getZoom() * sharpness
    const corner = map.project(map.containerPointToLatLng([0, 0]))
    const [left, top] = [corner.x * sharpness, corner.y * sharpness]
    for (const craft of this.#fleet.all()) {
      const gone = part(craft, now)
      const x = (craft.fromX + (craft.toX - craft.fromX) * gone) * world - left
      const y = (craft.fromY + (craft.toY - craft.fromY) * gone) * world - top
      if (x < -40 || y < -40 || x > canvas.width + 40 || y > canvas.height + 40) continue
      if (craft.id === this.#picked) sprites.ring(ctx, x, y)
      sprites.draw(ctx, x, y, craft.kind, craft.heading)
    }
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
