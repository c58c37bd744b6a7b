import { useQuery } from '@tanstack/react-query'

import { config } from '@/lib/config'

import { loadStripe } from './stripe'

/** Stripe's script, fetched once it is needed. */
export function useStripe() {
  const settings = config().stripe
  return useQuery({
    queryKey: ['stripe'],
    queryFn: async () => {
      if (settings === null) throw new Error('Stripe is not set up.')
      return loadStripe(settings)
    },
    enabled: settings !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    // A script that does not come, offline or not, is an answer: the customer tries again.
    networkMode: 'always',
    retry: false,
    structuralSharing: false,
  })
}
