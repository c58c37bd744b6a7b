import type { Coordinates } from '@/lib/geolocation'

import { bearing, distance } from './geo'

/** A marker on its way from one position to the next. Times are milliseconds of `performance.now()`. */
export interface Glide {
  from: Coordinates
  to: Coordinates
  /** Degrees clockwise from north; null until the marker has moved. */
  fromHeading: number | null
  toHeading: number | null
  start: number
  duration: number
}

const LONGEST = 1000
const SHORTEST = 100
/** Below this many metres a movement does not show the heading. */
const STEP = 3

/** The glide to a position takes as long as the positions are apart, so that motion never stops between them; one second at most. */
export function glideDuration(sinceLastPosition: number | undefined): number {
  if (sinceLastPosition === undefined) return 0
  return Math.min(LONGEST, Math.max(SHORTEST, sinceLastPosition))
}

/** The progress of the glide, 0 to 1. */
export function progress(glide: Glide, now: number): number {
  if (glide.duration <= 0) return 1
  return Math.min(1, Math.max(0, (now - glide.start) / glide.duration))
}

export function placeAt(glide: Glide, now: number): Coordinates {
  const part = progress(glide, now)
  if (part === 1) return glide.to
  return {
    lat: glide.from.lat + (glide.to.lat - glide.from.lat) * part,
    lng: glide.from.lng + (glide.to.lng - glide.from.lng) * part,
  }
}

/** Turns the short way round, in the first third of the glide. */
export function headingAt(glide: Glide, now: number): number | null {
  const { fromHeading, toHeading } = glide
  if (fromHeading === null || toHeading === null) return toHeading
  const turn = ((toHeading - fromHeading + 540) % 360) - 180
  return (fromHeading + turn * Math.min(1, progress(glide, now) * 3) + 360) % 360
}

/** The device's heading, else the direction of the last movement, else the previous heading. */
export function headingOf(measured: number | null | undefined, from: Coordinates, to: Coordinates, before: number | null): number | null {
  if (typeof measured === 'number' && Number.isFinite(measured)) return ((measured % 360) + 360) % 360
  return distance(from, to) > STEP ? bearing(from, to) : before
}
