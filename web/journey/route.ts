/** One position of the recorded route. */
export interface RoutePosition {
  latitude: number
  longitude: number
}

// A ride down Galle Road, from Galle Face to Bambalapitiya, recorded at its bends.
const BENDS: readonly [RoutePosition, ...RoutePosition[]] = [
  { latitude: 6.92712, longitude: 79.84468 },
  { latitude: 6.92291, longitude: 79.84702 },
  { latitude: 6.91835, longitude: 79.84831 },
  { latitude: 6.91404, longitude: 79.84937 },
  { latitude: 6.90958, longitude: 79.85081 },
  { latitude: 6.90489, longitude: 79.85213 },
  { latitude: 6.90112, longitude: 79.85341 },
  { latitude: 6.89651, longitude: 79.85498 },
]

/** The number of positions from one bend to the next. */
const STEPS = 10

/** The recorded route: seventy-one positions, about fifty metres apart. */
export const ROUTE: readonly RoutePosition[] = BENDS.flatMap((from, at) => {
  const to = BENDS[at + 1]
  if (to === undefined) return [from]
  return Array.from({ length: STEPS }, (_, step) => ({
    latitude: between(from.latitude, to.latitude, step),
    longitude: between(from.longitude, to.longitude, step),
  }))
})

function between(from: number, to: number, step: number): number {
  return Number((from + ((to - from) * step) / STEPS).toFixed(6))
}
