import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { itemsQuery } from '@/api/catalogue'
import type { Order } from '@/api/generated/types.gen'
import { cart } from '@/lib/cart'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

/** Puts the items of orders into the cart again, those that are still on the menu, and shows the cart. */
export function useReorder() {
  const t = useTexts()
  const navigate = useNavigate()
  const items = useQuery(itemsQuery())
  return (orders: Order[]) => {
    // If the menu could not be fetched, the cart finds out.
    const known = orders.filter(({ key }) => items.data === undefined || items.data.some((item) => item._id === key))
    if (known.length < orders.length) toast.error(t('account.notReordered'))
    if (known.length === 0) return
    for (const { key, quantity } of known) cart.add(key, quantity)
    toast.success(t('account.reordered', { name: known.map(({ Item_name }) => Item_name).join(', ') }))
    void navigate(paths.cart())
  }
}
