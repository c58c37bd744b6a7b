import { useMutation } from '@tanstack/react-query'

import { invoicePage } from '@/api/payments'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

/** The time that the browser gets to take the page over, in milliseconds. */
const TAKEN_OVER = 60_000

/** Opens an order's invoice in a new tab. The call needs the token, so a plain link would not do. */
export function useInvoice() {
  const t = useTexts()
  const open = useMutation({
    mutationFn: async ({ orderId, tab }: { orderId: string; tab: Window | null }) => {
      const url = URL.createObjectURL(await invoicePage(orderId))
      if (tab === null) window.location.assign(url)
      else tab.location.assign(url)
      setTimeout(() => {
        URL.revokeObjectURL(url)
      }, TAKEN_OVER)
    },
    onError: (error, { tab }) => {
      tab?.close()
      toast.error(messageOf(error, t('checkout.invoiceFailed')))
    },
  })
  return (orderId: string) => {
    // Opened while the click is fresh: later, browsers take it for an unwanted window.
    open.mutate({ orderId, tab: window.open('', '_blank') })
  }
}
