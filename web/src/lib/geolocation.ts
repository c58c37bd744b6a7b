/** WGS 84 degrees. */
export interface Coordinates {
  lat: number
  lng: number
}

/** True if the browser has geolocation, allowed or not. */
export function canLocate(): boolean {
  return 'geolocation' in navigator
}

/** Measures the device's place once. Rejects if it can't or may not be measured. */
export function currentPlace(): Promise<Coordinates> {
  return new Promise((resolve, reject) => {
    if (!canLocate()) {
      reject(new Error('Geolocation is not supported by your browser.'))
      return
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        resolve({ lat: coords.latitude, lng: coords.longitude })
      },
      (cause) => {
        reject(new Error(cause.message))
      },
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    )
  })
}
