import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { itemsQuery } from '@/api/catalogue'
import type { Order } from '@/api/generated/types.gen'
import { cart } from '@/lib/cart'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

/** Puts the items of an order into the cart again, and shows the cart. */
export function useReorder() {
  const t = useTexts()
  const navigate = useNavigate()
  const items = useQuery(itemsQuery())
  return (order: Order) => {
    // If the menu could not be fetched, the cart finds out.
    if (items.data !== undefined && !items.data.some((item) => item._id === order.key)) {
      toast.error(t('account.notReordered'))
      return
    }
    cart.add(order.key, order.quantity)
    toast.success(t('account.reordered', { name: order.Item_name }))
    void navigate(paths.cart())
  }
}
