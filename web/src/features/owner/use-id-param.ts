import { useLocation, useSearchParams } from 'react-router'
import * as v from 'valibot'

const stateSchema = v.object({ id: v.optional(v.string()), restaurantId: v.optional(v.string()) })

/** An id of the navigation state, else of the address's query. */
export function useIdParam(name: keyof v.InferOutput<typeof stateSchema>): string | null {
  const state: unknown = useLocation().state
  const [params] = useSearchParams()
  return (v.is(stateSchema, state) ? state[name] : undefined) ?? params.get(name)
}
