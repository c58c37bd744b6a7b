import { createContext, use, useSyncExternalStore } from 'react'

import { emptyOutbox, type Outbox, type OutboxState } from './outbox'

/** The outbox of the signed-in driver; null until it is open. */
export const OutboxContext = createContext<Outbox | null>(null)

export function useOutbox(): Outbox | null {
  return use(OutboxContext)
}

const noSubscription = () => () => {}
const getEmptyOutbox = () => emptyOutbox

/** The state of what this device has sent and has yet to send. */
export function useOutboxState(): OutboxState {
  const outbox = useOutbox()
  return useSyncExternalStore(outbox?.subscribe ?? noSubscription, outbox?.state ?? getEmptyOutbox)
}
