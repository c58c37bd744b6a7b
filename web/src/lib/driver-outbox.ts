/** The database of positions and status changes that a driver's device has yet to send. */
export const DRIVER_OUTBOX = 'driver-outbox'

/** Deletes the database, and closes it in every tab. */
export function deleteDriverOutbox(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(DRIVER_OUTBOX)
}
