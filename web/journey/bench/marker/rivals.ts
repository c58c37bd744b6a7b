import type { Coordinates } from '../../../src/lib/geolocation'
import { Motion } from '../../../src/ui/map/motion/motion'
import type { Fix } from '../../../src/ui/map/motion/fixes'
import { moved } from '../../../src/ui/map/motion/plane'

/** A way of drawing a driver. Times are milliseconds. */
export interface Marker {
  setRoute(street: Coordinates[], now: number): void
  push(fix: Fix, arrived: number): void
  placeAt(now: number): Coordinates
}

const NOWHERE = { lat: 0, lng: 0 }

/** Shows the last fix. */
export class Jump implements Marker {
  #last: Coordinates = NOWHERE

  setRoute(): void {}

  push({ lat, lng }: Fix): void {
    this.#last = { lat, lng }
  }

  placeAt(): Coordinates {
    return this.#last
  }
}

/** Glides from fix to fix as long as they are apart, a second at most, and waits there. */
export class Glide implements Marker {
  #from: Coordinates = NOWHERE
  #to: Coordinates = NOWHERE
  #start = 0
  #duration = 0
  #arrived: number | null = null

  setRoute(): void {}

  push({ lat, lng }: Fix, arrived: number): void {
    this.#from = this.#arrived === null ? { lat, lng } : this.placeAt(arrived)
    this.#to = { lat, lng }
    this.#start = arrived
    this.#duration = this.#arrived === null ? 0 : Math.min(1000, Math.max(100, arrived - this.#arrived))
    this.#arrived = arrived
  }

  placeAt(now: number): Coordinates {
    const part = this.#duration <= 0 ? 1 : Math.min(1, Math.max(0, (now - this.#start) / this.#duration))
    return {
      lat: this.#from.lat + (this.#to.lat - this.#from.lat) * part,
      lng: this.#from.lng + (this.#to.lng - this.#from.lng) * part,
    }
  }
}

/** Goes straight on from the last fix, with its speed and heading. */
export class DeadReckoning implements Marker {
  #fix: Fix | null = null
  #arrived = 0

  setRoute(): void {}

  push(fix: Fix, arrived: number): void {
    this.#fix = fix
    this.#arrived = arrived
  }

  placeAt(now: number): Coordinates {
    if (this.#fix === null) return NOWHERE
    const way = ((this.#fix.speed ?? 0) * (now - this.#arrived)) / 1000
    const angle = ((this.#fix.heading ?? 0) * Math.PI) / 180
    return moved(this.#fix, Math.sin(angle) * way, Math.cos(angle) * way)
  }
}

/** Tiffin's marker; `uses` says of what it learns. */
export class Tiffin implements Marker {
  readonly #motion = new Motion()
  readonly #uses: { street: boolean; speed: boolean }

  constructor(uses: { street: boolean; speed: boolean }) {
    this.#uses = uses
  }

  setRoute(street: Coordinates[], now: number): void {
    if (this.#uses.street) this.#motion.setRoute(street, now)
  }

  push(fix: Fix, arrived: number): void {
    this.#motion.push(this.#uses.speed ? fix : { ...fix, speed: null, heading: null }, arrived)
  }

  placeAt(now: number): Coordinates {
    return this.#motion.at(now)?.place ?? NOWHERE
  }
}
