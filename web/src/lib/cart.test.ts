import { describe, expect, it, vi } from 'vitest'

import { cart, countItems, MAX_QUANTITY } from './cart'

describe('the cart', () => {
  it('is kept under `cart` as the lines of an order', () => {
    cart.add('kottu', 2)
    cart.add('lamprais')
    expect(JSON.parse(localStorage.getItem('cart') ?? '')).toEqual({
      orderItem: [
        { key: 'kottu', qty: 2 },
        { key: 'lamprais', qty: 1 },
      ],
    })
  })

  it('counts an item that is added again', () => {
    cart.add('kottu')
    cart.add('kottu', 2)
    expect(cart.get().orderItem).toEqual([{ key: 'kottu', qty: 3 }])
    expect(countItems(cart.get())).toBe(3)
  })

  it('drops a line below one and holds no more than it may', () => {
    cart.add('kottu')
    cart.setQty('kottu', MAX_QUANTITY + 20)
    expect(countItems(cart.get())).toBe(MAX_QUANTITY)
    cart.setQty('kottu', 0)
    expect(cart.get().orderItem).toEqual([])
    expect(localStorage.getItem('cart')).toBeNull()
  })

  it('keeps the note of an item whatever its number, until it has none', () => {
    cart.add('kottu')
    cart.setNote('kottu', 'No onions.')
    cart.add('kottu')
    expect(cart.get().orderItem).toEqual([{ key: 'kottu', qty: 2, note: 'No onions.' }])
    cart.setNote('kottu', undefined)
    expect(JSON.parse(localStorage.getItem('cart') ?? '')).toEqual({ orderItem: [{ key: 'kottu', qty: 2 }] })
  })

  it.each(['rubbish', '{"orderItem":[{"key":1}]}', '[]', '{"orderItem":[{"key":"a","qty":0}]}'])(
    'reads %s as empty',
    (kept) => {
      localStorage.setItem('cart', kept)
      expect(cart.get().orderItem).toEqual([])
    },
  )

  it('gives the same object until something changes, and notifies listeners', () => {
    const listener = vi.fn()
    const leave = cart.subscribe(listener)
    cart.add('kottu')
    expect(listener).toHaveBeenCalledOnce()
    expect(cart.get()).toBe(cart.get())
    leave()
  })
})

