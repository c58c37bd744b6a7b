import type { DevicePosition } from '@/lib/live/frames'
import { distance } from '@/ui/map/geo'

/** The distance in metres after which a position is sent at once. */
const MOVED_DISTANCE = 15
/** The speed in metres a second from which the driver is moving. */
const MOVING_SPEED = 1
/** The shortest intervals between positions, in milliseconds: while moving, and while at rest. */
const INTERVALS = { moving: 2_000, still: 20_000 }
/** After standing still for this long the device may measure roughly, which spares its battery, in milliseconds. */
const REST_TIME = 120_000

/** Decides which positions are sent: many while moving, few while standing still. */
export class PositionThrottle {
  #sent: DevicePosition | null = null
  #moved: DevicePosition | null = null

  /** True if this position is to be sent. */
  shouldSend(position: DevicePosition): boolean {
    if (this.#moved === null || hasMoved(this.#moved, position)) this.#moved = position
    if (this.#sent !== null && !isDue(this.#sent, position)) return false
    this.#sent = position
    return true
  }

  /** True once the device has been at rest for so long that it need not measure finely. */
  isResting(position: DevicePosition): boolean {
    return this.#moved !== null && millisecondsBetween(this.#moved, position) >= REST_TIME
  }
}

function millisecondsBetween(a: DevicePosition, b: DevicePosition): number {
  return Date.parse(b.at) - Date.parse(a.at)
}

/** A distance within the position's own error is no movement. */
function hasMoved(from: DevicePosition, to: DevicePosition): boolean {
  return distance(from, to) >= Math.max(MOVED_DISTANCE, to.accuracy ?? 0)
}

function isDue(sent: DevicePosition, position: DevicePosition): boolean {
  if (hasMoved(sent, position)) return true
  const moving = (position.speed ?? 0) >= MOVING_SPEED
  return millisecondsBetween(sent, position) >= (moving ? INTERVALS.moving : INTERVALS.still)
}
