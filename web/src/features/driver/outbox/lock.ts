/** Calls `onHeld` once this tab alone holds the named lock, which it keeps until `signal` is aborted. */
export function holdLock(name: string, signal: AbortSignal, onHeld: () => void): void {
  // Only a page of a secure origin has locks.
  if (!('locks' in navigator)) return onHeld()
  const hold = () =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      onHeld()
    })
  navigator.locks.request(name, { signal }, hold).catch((error: unknown) => {
    if (!signal.aborted) console.error(error)
  })
}
