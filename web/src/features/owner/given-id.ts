import { useLocation, useSearchParams } from 'react-router'
import { z } from 'zod'

const handed = z.object({ id: z.string(), restaurantId: z.string() }).partial()

/** An id as the page before handed it on, else as the address has it. */
export function useGivenId(name: keyof z.infer<typeof handed>): string | null {
  const { state } = useLocation()
  const [params] = useSearchParams()
  return handed.safeParse(state).data?.[name] ?? params.get(name)
}
