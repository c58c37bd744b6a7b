import { createContext, use } from 'react'

export const NewOrdersContext = createContext<ReadonlySet<string>>(new Set())

/** The ids of the newest orders since the panel was opened. */
export function useNewOrders(): ReadonlySet<string> {
  return use(NewOrdersContext)
}
