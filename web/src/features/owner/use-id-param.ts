import { useLocation, useSearchParams } from 'react-router'
import { z } from 'zod'

const stateSchema = z.object({ id: z.string(), restaurantId: z.string() }).partial()

/** An id of the navigation state, else of the address's query. */
export function useIdParam(name: keyof z.infer<typeof stateSchema>): string | null {
  const { state } = useLocation()
  const [params] = useSearchParams()
  return stateSchema.safeParse(state).data?.[name] ?? params.get(name)
}
