import type { DevicePosition } from '@/lib/live/frames'

/** The reason why a device gives no position. */
export type PositionFailure = 'unsupported' | 'forbidden' | 'unknown'

/** The device gives no position. */
export class PositionError extends Error {
  readonly failure: PositionFailure

  constructor(failure: PositionFailure) {
    super(`position ${failure}`)
    this.name = 'NoPosition'
    this.failure = failure
  }

  /** Asking again is of no use. */
  get final(): boolean {
    return this.failure !== 'unknown'
  }
}

const movingOptions: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 0 }
// Without the satellites, which need most of the battery.
const restingOptions: PositionOptions = { enableHighAccuracy: false, timeout: 30_000, maximumAge: 10_000 }
const recentOptions: PositionOptions = { enableHighAccuracy: true, timeout: 6_000, maximumAge: 15_000 }
// A device that does not move may have nothing newer than its last position.
const lastKnownOptions: PositionOptions = { enableHighAccuracy: false, timeout: 8_000, maximumAge: Infinity }

function errorOf(error: GeolocationPositionError): PositionError {
  return new PositionError(error.code === error.PERMISSION_DENIED ? 'forbidden' : 'unknown')
}

/** Leaves out values that the device does not know: null, or NaN while it does not move. */
export function positionOf({ coords, timestamp }: GeolocationPosition): DevicePosition {
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

function askOnce(options: PositionOptions): Promise<DevicePosition> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      (position) => {
        resolve(positionOf(position))
      },
      (error) => {
        reject(errorOf(error))
      },
      options,
    )
  })
}

/** The device's place. Rejects with `NoPosition` if it can't or may not be measured. */
export async function currentPosition(): Promise<DevicePosition> {
  if (!('geolocation' in navigator)) throw new PositionError('unsupported')
  try {
    return await askOnce(recentOptions)
  } catch (cause) {
    if (cause instanceof PositionError && cause.final) throw cause
    return askOnce(lastKnownOptions)
  }
}

interface Watch {
  onPosition: (position: DevicePosition) => void
  onFailure: (reason: PositionError) => void
  /** The device may measure roughly. */
  isResting?: boolean
}

/** Reports each position of the device, until the returned function is called. */
export function watchPosition({ onPosition, onFailure, isResting = false }: Watch): () => void {
  if (!('geolocation' in navigator)) {
    onFailure(new PositionError('unsupported'))
    return () => {}
  }
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      onPosition(positionOf(position))
    },
    (error) => {
      onFailure(errorOf(error))
    },
    isResting ? restingOptions : movingOptions,
  )
  return () => {
    navigator.geolocation.clearWatch(watch)
  }
}

/** Keeps the screen on where the device can, until the returned function is called. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null
  let over = false
  const requestLock = async () => {
    if (over || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    try {
      const taken = await navigator.wakeLock.request('screen')
      if (over) void taken.release()
      else lock = taken
    } catch {
      // Refused, on a low battery for instance: sharing lasts as long as the screen is on.
    }
  }
  const requestLockAgain = () => void requestLock()
  // The browser takes the lock away whenever the page is hidden.
  document.addEventListener('visibilitychange', requestLockAgain)
  void requestLock()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', requestLockAgain)
    void lock?.release()
  }
}

/** True if the device may show notifications; null if it can't. */
export function notificationPermission(): NotificationPermission | null {
  return 'Notification' in window ? Notification.permission : null
}

/** Shows a notification of the device, where that is allowed; phones take it from a service worker only. */
export function notify(title: string, body: string): void {
  navigator.vibrate?.([200, 100, 200])
  if (notificationPermission() !== 'granted') return
  void (async () => {
    const worker = await navigator.serviceWorker?.getRegistration()
    const options = { body, tag: title, icon: '/favicon.svg' }
    if (worker === undefined) new Notification(title, options)
    else await worker.showNotification(title, options)
  })().catch((cause: unknown) => {
    console.warn('The device shows no notification.', cause)
  })
}
