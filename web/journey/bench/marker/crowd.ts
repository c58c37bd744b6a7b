import { Fleet } from '../../../src/ui/map/fleet'
import { moved } from '../../../src/ui/map/motion/plane'

/** Seconds of measuring, and the frames of one. */
const SECONDS = 60
const FRAMES = 30
/** Metres a second. */
const SPEED = 9
const START = Date.parse('2026-11-21T10:00:00Z')
const TOWN = { lat: 6.91, lng: 79.86 }

/** Milliseconds that a frame takes to move so many drivers, who send a fix a second each. */
export function crowded(drivers: number, withRoutes: boolean): number {
  const fleet = new Fleet()
  const placeOf = (driver: number, second: number) => moved(TOWN, driver * 20, second * SPEED + 5 * Math.sin(second / 9))
  for (let driver = 0; driver < drivers; driver += 1) {
    fleet.put(String(driver), placeOf(driver, 0), 0)
    const street = Array.from({ length: 300 }, (_, point) => placeOf(driver, point))
    if (withRoutes) fleet.setRoute(String(driver), street, 0)
  }
  let spent = 0
  for (let frame = 0; frame < SECONDS * FRAMES; frame += 1) {
    const now = (frame * 1000) / FRAMES
    const begun = performance.now()
    for (let driver = frame % FRAMES; driver < drivers; driver += FRAMES) {
      const fix = { ...placeOf(driver, now / 1000), speed: SPEED, heading: 0, accuracy: 8, at: new Date(START + now).toISOString() }
      fleet.move(String(driver), fix, now)
    }
    fleet.advance(now)
    spent += performance.now() - begun
  }
  return spent / (SECONDS * FRAMES)
}
