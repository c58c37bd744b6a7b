import { useEffect } from 'react'

import { toast } from '@/ui/toast'

/** Shows one toast for each failure of a request. */
export function useFailureToast(error: Error | null, message: string) {
  useEffect(() => {
    if (error !== null) toast.error(message)
  }, [error, message])
}
