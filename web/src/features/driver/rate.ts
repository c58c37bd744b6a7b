import type { DevicePosition } from '@/lib/live/frames'
import { distance } from '@/ui/map/geo'

/** The distance in metres after which a position is sent at once. */
const MOVED = 15
/** The speed in metres a second from which the driver is moving. */
const MOVING = 1
/** The shortest intervals between positions, in milliseconds: while moving, and while at rest. */
const EVERY = { moving: 2_000, still: 20_000 }
/** After standing still for this long the device may measure roughly, which spares its battery, in milliseconds. */
const REST = 120_000

/** Decides which fixes are worth their transmission: many while moving, few while standing still. */
export class Rate {
  #sent: DevicePosition | null = null
  #moved: DevicePosition | null = null

  /** True if this fix is to be sent. */
  admits(fix: DevicePosition): boolean {
    if (this.#moved === null || hasMoved(this.#moved, fix)) this.#moved = fix
    if (this.#sent !== null && !isDue(this.#sent, fix)) return false
    this.#sent = fix
    return true
  }

  /** True once the device has been at rest for so long that it need not measure finely. */
  rests(fix: DevicePosition): boolean {
    return this.#moved !== null && between(this.#moved, fix) >= REST
  }
}

function between(a: DevicePosition, b: DevicePosition): number {
  return Date.parse(b.at) - Date.parse(a.at)
}

/** A distance within the fix's own error is no movement. */
function hasMoved(from: DevicePosition, to: DevicePosition): boolean {
  return distance(from, to) >= Math.max(MOVED, to.accuracy ?? 0)
}

function isDue(sent: DevicePosition, fix: DevicePosition): boolean {
  if (hasMoved(sent, fix)) return true
  const moving = (fix.speed ?? 0) >= MOVING
  return between(sent, fix) >= (moving ? EVERY.moving : EVERY.still)
}
