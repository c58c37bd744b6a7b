/** The delay after loading, in milliseconds, before the rest is fetched, so that the first page is not slowed down. */
const AFTER_LOAD = 5_000

/**
 * Installs the service worker, which caches the app's own files so that it opens without a network. A new version is
 * taken when all tabs of the old one are closed.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const install = () => {
    navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch((cause: unknown) => {
      console.warn('The app will not open without a network.', cause)
    })
  }
  const installLater = () => setTimeout(install, AFTER_LOAD)
  if (document.readyState === 'complete') installLater()
  else window.addEventListener('load', installLater, { once: true })
}
