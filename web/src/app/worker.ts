/**
 * Has the browser keep the app's own files, so that it opens without a network. What the first page
 * needs goes first. A new version is taken when all tabs of the old one are closed.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const install = () => {
    navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch((cause: unknown) => {
      console.warn('The app will not open without a network.', cause)
    })
  }
  if (document.readyState === 'complete') install()
  else window.addEventListener('load', install, { once: true })
}
