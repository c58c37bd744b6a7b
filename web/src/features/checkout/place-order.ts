import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as v from 'valibot'

import { placeOrders } from '@/api/generated/sdk.gen'
import type { Checkout, Quote } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { isProblem, messageOf } from '@/api/problem'
import { cart, type Cart } from '@/lib/cart'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { priceQuery } from './cart-contents'
import { clearOrderKey, orderKey } from './idempotency-keys'

const lineSchema = v.object({
  key: v.string(),
  qty: v.number(),
  name: v.string(),
  price: v.number(),
  total: v.number(),
  image: v.nullish(v.string()),
  restaurantId: v.string(),
  restaurantName: v.string(),
})
const movedSchema = v.object({ quote: v.object({ orderItem: v.array(lineSchema), total: v.number() }) })

/** The new quote that comes with the refusal of an order whose prices have moved. */
function movedQuote(error: unknown): Quote | null {
  if (!isProblem(error) || error.status !== 409) return null
  const { success, output } = v.safeParse(movedSchema, error.body)
  return success ? output.quote : null
}

/**
 * Places the order. A stranger is sent to the login and back; prices that moved are shown, and
 * nothing is ordered until the customer has seen them. What was `ordered` is there to be shown until
 * the next page is fetched: the cart is empty by then.
 */
export function usePlaceOrder() {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [moved, setMoved] = useState(false)
  const [ordered, setOrdered] = useState<Cart>()

  const order = useMutation({
    mutationFn: (body: Checkout) => placeOrders({ body, headers: { 'Idempotency-Key': orderKey(body) } }),
    onSuccess: async ({ orders }, { orderItem }) => {
      clearOrderKey()
      const checkoutId = orders[0]?.checkoutId
      if (checkoutId === undefined) {
        toast.error(t('checkout.invalidBooking'))
        return
      }
      setOrdered({ orderItem })
      await navigate(paths.bookingConfirmation(checkoutId), { state: { orders } })
      cart.clear()
      await queries.invalidateQueries({ queryKey: ordersQuery().queryKey })
    },
    onError: async (error, body) => {
      const quote = movedQuote(error)
      if (quote !== null) {
        queries.setQueryData(priceQuery(body.orderItem).queryKey, quote)
        setMoved(true)
        return
      }
      if (isProblem(error) && error.status === 401) await goToLogin()
      else toast.error(messageOf(error, t('checkout.error')))
    },
  })

  const goToLogin = async () => {
    toast.error(t('checkout.pleaseLogin'))
    await navigate(paths.login(), { state: { from: paths.cart() } })
  }
  const place = (body: Checkout) => {
    setMoved(false)
    if (session.token() === null) void goToLogin()
    else if (session.user()?.emailVerified === false) void navigate(paths.verifyEmail())
    else order.mutate(body)
  }
  return { place, placing: order.isPending || ordered !== undefined, ordered, moved }
}
