import { useEffect } from 'react'

import { toast } from '@/ui/toast'

/** Says once, each time it happens, that something could not be had. */
export function useFailureToast(error: Error | null, message: string) {
  useEffect(() => {
    if (error !== null) toast.error(message)
  }, [error, message])
}
