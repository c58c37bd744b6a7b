import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore } from './store'

const cartSchema = v.object({
  orderItem: v.array(
    v.object({
      key: v.string(),
      qty: v.pipe(v.number(), v.integer(), v.minValue(1)),
      note: v.nullish(v.string()),
    }),
  ),
})

/** The customer's cart; kept in local storage under `cart`. */
export type Cart = v.InferOutput<typeof cartSchema>

/** The most of one item that a cart takes. */
export const MAX_QUANTITY = 99

const empty: Cart = { orderItem: [] }
const store = jsonStore<Cart>('cart', cartSchema, empty)

function save(orderItem: Cart['orderItem']) {
  store.set(orderItem.length === 0 ? empty : { orderItem })
}

function change(key: string, changes: { qty: number } | { note: string | undefined }) {
  save(store.get().orderItem.map((line) => (line.key === key ? { ...line, ...changes } : line)))
}

export const cart = {
  get: store.get,
  subscribe: store.subscribe,
  add: (key: string, qty = 1) => {
    const { orderItem } = store.get()
    const held = orderItem.find((line) => line.key === key)
    if (held === undefined) save([...orderItem, { key, qty: Math.min(qty, MAX_QUANTITY) }])
    else cart.setQty(key, held.qty + qty)
  },
  /** Below one, the line leaves the cart. */
  setQty: (key: string, qty: number) => {
    if (qty < 1) {
      cart.remove(key)
      return
    }
    change(key, { qty: Math.min(Math.floor(qty), MAX_QUANTITY) })
  },
  /** Words to the kitchen about an item. */
  setNote: (key: string, note: string | undefined) => {
    change(key, { note })
  },
  remove: (key: string) => {
    save(store.get().orderItem.filter((line) => line.key !== key))
  },
  /** A line that was removed comes back to its place, unless its item was added again meanwhile. */
  restore: (before: Cart, key: string) => {
    const { orderItem } = store.get()
    const at = before.orderItem.findIndex((line) => line.key === key)
    const line = before.orderItem[at]
    if (line !== undefined && !orderItem.some((held) => held.key === key)) save(orderItem.toSpliced(at, 0, line))
  },
  clear: () => {
    save([])
  },
}

export function useCart(): Cart {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** The number of pieces in the cart. */
export function countItems(held: Cart): number {
  return held.orderItem.reduce((sum, line) => sum + line.qty, 0)
}
