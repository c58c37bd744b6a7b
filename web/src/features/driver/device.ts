import type { DeviceFix } from '@/lib/live/frames'

/** Why the device does not tell where it is, in words for its owner. */
export class NoPosition extends Error {
  /** Asking again is of no use. */
  readonly final: boolean

  constructor(message: string, final: boolean) {
    super(message)
    this.name = 'NoPosition'
    this.final = final
  }
}

const moving: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 0 }
const recent: PositionOptions = { enableHighAccuracy: true, timeout: 6_000, maximumAge: 15_000 }
// A device that does not move may have nothing newer to tell than what it told before.
const known: PositionOptions = { enableHighAccuracy: false, timeout: 8_000, maximumAge: Infinity }

function unsupported(): NoPosition {
  return new NoPosition('Geolocation not supported', true)
}

function reasonOf(error: GeolocationPositionError): NoPosition {
  if (error.code === error.PERMISSION_DENIED) return new NoPosition('This browser may not tell your location.', true)
  return new NoPosition('Your location cannot be found at the moment.', false)
}

/** Leaves out what the device does not know: it says null, or NaN while standing still. */
export function fixOf({ coords, timestamp }: GeolocationPosition): DeviceFix {
  const optional = Object.entries({ accuracy: coords.accuracy, heading: coords.heading, speed: coords.speed }).filter(
    ([, value]) => typeof value === 'number' && Number.isFinite(value),
  )
  return {
    lat: coords.latitude,
    lng: coords.longitude,
    at: new Date(timestamp).toISOString(),
    ...Object.fromEntries(optional),
  }
}

function askOnce(options: PositionOptions): Promise<DeviceFix> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      (position) => {
        resolve(fixOf(position))
      },
      (error) => {
        reject(reasonOf(error))
      },
      options,
    )
  })
}

/** Where the device is now. Rejects with `NoPosition` when it cannot or may not tell. */
export async function currentFix(): Promise<DeviceFix> {
  if (!('geolocation' in navigator)) throw unsupported()
  try {
    return await askOnce(recent)
  } catch (cause) {
    if (cause instanceof NoPosition && cause.final) throw cause
    return askOnce(known)
  }
}

/** Tells where the device is whenever it moves, until the returned function is called. */
export function watchFixes(onFix: (fix: DeviceFix) => void, onFailure: (reason: NoPosition) => void): () => void {
  if (!('geolocation' in navigator)) {
    onFailure(unsupported())
    return () => {}
  }
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      onFix(fixOf(position))
    },
    (error) => {
      onFailure(reasonOf(error))
    },
    moving,
  )
  return () => {
    navigator.geolocation.clearWatch(watch)
  }
}

/** Keeps the screen on where the device can, until the returned function is called. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null
  let over = false
  const take = async () => {
    if (over || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    try {
      const taken = await navigator.wakeLock.request('screen')
      if (over) void taken.release()
      else lock = taken
    } catch {
      // Refused, on a low battery for instance: sharing goes on as long as the screen does.
    }
  }
  const again = () => void take()
  // The browser takes the lock away whenever the page is hidden.
  document.addEventListener('visibilitychange', again)
  void take()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', again)
    void lock?.release()
  }
}
