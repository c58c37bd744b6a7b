import { useQuery } from '@tanstack/react-query'

import { exchangeToken } from '@/api/refresh'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

/** There is a token, but nothing is known of whose it is: that is asked for. */
export function Restoring() {
  const t = useTexts()
  const { isError, refetch } = useQuery({ queryKey: ['session'], queryFn: exchangeToken, gcTime: 0, staleTime: 0 })
  if (isError) return <Failure message={t('account.profileRestoreFailed')} retry={() => void refetch()} />
  return <Loading text={t('account.loadingProfile')} />
}
