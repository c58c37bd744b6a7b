import { useQuery } from '@tanstack/react-query'

import { exchangeToken } from '@/api/refresh'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

/** Fetches the user of a token that is stored without one. */
export function RestoreSession() {
  const t = useTexts()
  const { isError, refetch } = useQuery({ queryKey: ['session'], queryFn: exchangeToken, gcTime: 0, staleTime: 0 })
  if (isError) return <Failure message={t('account.profileRestoreFailed')} retry={() => void refetch()} />
  return <Loading text={t('account.loadingProfile')} />
}
