import type { DevicePosition } from '@/lib/live/frames'

/** Why a device does not tell where it is. */
export type Trouble = 'unsupported' | 'forbidden' | 'unknown'

/** The device does not tell where it is. */
export class NoPosition extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(`position ${trouble}`)
    this.name = 'NoPosition'
    this.trouble = trouble
  }

  /** Asking again is of no use. */
  get final(): boolean {
    return this.trouble !== 'unknown'
  }
}

const moving: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 0 }
// Without the satellites, which need most of the battery.
const resting: PositionOptions = { enableHighAccuracy: false, timeout: 30_000, maximumAge: 10_000 }
const recent: PositionOptions = { enableHighAccuracy: true, timeout: 6_000, maximumAge: 15_000 }
// A device that does not move may have nothing newer than its last position.
const known: PositionOptions = { enableHighAccuracy: false, timeout: 8_000, maximumAge: Infinity }

function reasonOf(error: GeolocationPositionError): NoPosition {
  return new NoPosition(error.code === error.PERMISSION_DENIED ? 'forbidden' : 'unknown')
}

/** Leaves out what the device does not know: it says null, or NaN while standing still. */
export function fixOf({ coords, timestamp }: GeolocationPosition): DevicePosition {
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
        resolve(fixOf(position))
      },
      (error) => {
        reject(reasonOf(error))
      },
      options,
    )
  })
}

/** The device's place. Rejects with `NoPosition` if it can't or may not be measured. */
export async function currentFix(): Promise<DevicePosition> {
  if (!('geolocation' in navigator)) throw new NoPosition('unsupported')
  try {
    return await askOnce(recent)
  } catch (cause) {
    if (cause instanceof NoPosition && cause.final) throw cause
    return askOnce(known)
  }
}

interface Watch {
  onFix: (fix: DevicePosition) => void
  onFailure: (reason: NoPosition) => void
  /** The device may measure roughly. */
  rests?: boolean
}

/** Tells where the device is whenever it moves, until the returned function is called. */
export function watchFixes({ onFix, onFailure, rests = false }: Watch): () => void {
  if (!('geolocation' in navigator)) {
    onFailure(new NoPosition('unsupported'))
    return () => {}
  }
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      onFix(fixOf(position))
    },
    (error) => {
      onFailure(reasonOf(error))
    },
    rests ? resting : moving,
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
