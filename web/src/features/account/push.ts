import { showPushKey, subscribe, unsubscribe } from '@/api/generated/sdk.gen'

/** True if this browser can receive messages while no page is open. */
export function isPushSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Subscribes this browser to push messages, once its user allows it. */
export async function subscribeToPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('Messages are not allowed.')
  const worker = await navigator.serviceWorker.getRegistration()
  if (worker === undefined) throw new Error('There is no service worker.')
  const { publicKey } = await showPushKey()
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON()
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) {
    throw new Error('The browser gave no subscription.')
  }
  await subscribe({ body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } })
}

/** Ends the push subscription of this browser. */
export async function unsubscribeFromPush(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration()
  const subscription = await worker?.pushManager.getSubscription()
  if (!subscription) return
  await unsubscribe({ body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}
