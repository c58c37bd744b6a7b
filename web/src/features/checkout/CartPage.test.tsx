import { item, list, platform, problem, profile, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { cart } from '@/lib/cart'

import { CartPage } from './CartPage'

const server = platform()
let price = 350.5
let placed: { key: string | null; body: unknown }[] = []

function quoted(qty: number) {
  const line = { key: 'i1', qty, name: 'Chicken Kottu', price, total: price * qty, restaurantId: 'r1', restaurantName: 'Lotus Kitchen' }
  return { orderItem: [line], total: price * qty }
}

async function placing(request: Request) {
  placed.push({ key: request.headers.get('idempotency-key'), body: await request.json() })
}

const order = () => screen.findByRole('button', { name: 'Place Order' })

async function clickOrder() {
  const button = await order()
  await waitFor(() => {
    expect(button).toBeEnabled()
  })
  await userEvent.click(button)
}

beforeEach(() => {
  price = 350.5
  placed = []
  cart.add('i1', 2)
  server.use(
    list('restaurant', [restaurant()]),
    http.get('*/api/v1/users/u1', () => HttpResponse.json(profile())),
    http.get('*/api/v1/collection/getOne/i1', () => HttpResponse.json(item())),
    http.get('*/api/v1/delivery/estimates', () =>
      HttpResponse.json([{ restaurantId: 'r1', earliestMinutes: 25, latestMinutes: 35, basis: 'street' }]),
    ),
    http.post('*/api/v1/orders/quote', async ({ request }) => {
      const body: unknown = await request.json()
      const qty = JSON.stringify(body).includes('"qty":3') ? 3 : 2
      return HttpResponse.json(quoted(qty))
    }),
  )
})

describe('the cart page', () => {
  it('shows what the service quotes, again after a change', async () => {
    show(<CartPage />, '/cart')
    await waitFor(() => {
      expect(screen.getByTestId('cart-total')).toHaveTextContent('Rs. 701.00')
    })
    await userEvent.click(screen.getByRole('button', { name: 'One more Chicken Kottu' }))
    await waitFor(() => {
      expect(screen.getByTestId('cart-total')).toHaveTextContent('Rs. 1,051.50')
    })
  })

  it('sends an order where the profile says, and an address typed meanwhile with its place', async () => {
    signIn()
    const answers: (() => void)[] = []
    server.use(
      http.get('*/api/v1/users/u1', async () => {
        await new Promise<void>((resolve) => { answers.push(resolve) })
        return HttpResponse.json(profile())
      }),
      http.post('*/api/v1/orders', async ({ request }) => {
        await placing(request)
        return problem(503, 'Later.')
      }),
    )
    show(<CartPage />, '/cart')
    await waitFor(() => { expect(screen.getByTestId('cart-total')).toHaveTextContent('Rs. 701.00') })
    // Nothing is ordered before it is known where to.
    expect(await order()).toBeDisabled()
    await userEvent.type(screen.getByLabelText('Delivery address'), '3 Ward Place')
    answers.forEach((answer) => { answer() })
    await clickOrder()
    await waitFor(() => { expect(placed).toHaveLength(1) })
    expect(placed[0]?.body).toMatchObject({ address: '3 Ward Place', lat: 6.9, lng: 79.8 })
    await userEvent.clear(screen.getByLabelText('Delivery address'))
    await userEvent.type(screen.getByLabelText('Delivery address'), '4 Ward Place')
    await clickOrder()
    await waitFor(() => { expect(placed[1]?.body).toMatchObject({ address: '4 Ward Place' }) })
  })

  it('takes a note on a dish by keyboard, keeps it through a reload, and sends it with the order', async () => {
    signIn()
    let quotes = 0
    server.use(
      http.post('*/api/v1/orders/quote', () => {
        quotes += 1
        return HttpResponse.json(quoted(2))
      }),
      http.post('*/api/v1/orders', async ({ request }) => {
        await placing(request)
        return problem(503, 'Later.')
      }),
    )
    show(<CartPage />, '/cart')
    ;(await screen.findByRole('button', { name: 'Add a note on Chicken Kottu' })).focus()
    await userEvent.keyboard('{Enter}')
    const field = () => screen.getByLabelText('Note on Chicken Kottu')
    expect(field()).toHaveFocus()
    await userEvent.keyboard('Mild.')
    expect(field()).toHaveAccessibleDescription('5 of 200 characters. The kitchen reads it.')

    cleanup()
    quotes = 0
    show(<CartPage />, '/cart')
    expect(await screen.findByLabelText('Note on Chicken Kottu')).toHaveValue('Mild.')
    await clickOrder()
    await waitFor(() => { expect(placed).toHaveLength(1) })
    expect(placed[0]?.body).toMatchObject({ orderItem: [{ key: 'i1', qty: 2, note: 'Mild.' }] })
    expect(quotes).toBe(1)

    fireEvent.change(field(), { target: { value: 'x'.repeat(200) } })
    expect(field()).toHaveAccessibleDescription('200 characters is the most. Nothing more fits.')
    expect(field()).toHaveAttribute('maxlength', '200')
    expect(quotes).toBe(1)
  })

  it('sends a stranger to the login', async () => {
    const router = show(<CartPage />, '/cart')
    await clickOrder()
    expect(await screen.findByText('Please Login')).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
  })

  it('shows prices that moved and orders nothing until they are seen', async () => {
    signIn()
    server.use(
      http.post('*/api/v1/orders', async ({ request }) => {
        await placing(request)
        price = 400
        return problem(409, 'Prices have changed.', { quote: quoted(2) })
      }),
    )
    show(<CartPage />, '/cart')
    await clickOrder()
    expect(await screen.findByText(/Prices have changed/)).toBeVisible()
    expect(screen.getByTestId('cart-total')).toHaveTextContent('Rs. 800.00')
    expect(cart.get().orderItem).toHaveLength(1)

    await clickOrder()
    await waitFor(() => {
      expect(placed).toHaveLength(2)
    })
    expect(placed[1]?.body).toMatchObject({ total: 800 })
    expect(placed[1]?.key).not.toBe(placed[0]?.key)
  })

  it('tries again with the same key, and leaves with an empty cart', async () => {
    signIn()
    let away = true
    server.use(
      http.post('*/api/v1/orders', async ({ request }) => {
        await placing(request)
        if (away) return problem(503, 'Not ready.')
        return HttpResponse.json({ message: 'ok', orders: [{ orderId: 'ORD-AAAA1111', checkoutId: 'c1' }] }, { status: 201 })
      }),
      list('orders', []),
    )
    const router = show(<CartPage />, '/cart')
    await clickOrder()
    expect(await screen.findByText('Not ready.')).toBeInTheDocument()
    away = false
    await clickOrder()
    await waitFor(() => {
      expect(router.state.location.pathname + router.state.location.search).toBe('/bookingconfirmation?checkout=c1')
    })
    expect(placed[0]?.key).toBeTruthy()
    expect(placed[1]?.key).toBe(placed[0]?.key)
    await waitFor(() => {
      expect(cart.get().orderItem).toEqual([])
    })
  })

  it('says in which time it would arrive', async () => {
    signIn()
    show(<CartPage />, '/cart')
    await waitFor(() => { expect(screen.getByTestId('arrival-estimate')).toHaveTextContent('25–35 min') })
    expect(screen.getByText('Arrives in')).toBeVisible()
  })

  it('asks for a place where it knows none', async () => {
    show(<CartPage />, '/cart')
    expect(await screen.findByText('Set your place to see when it arrives.')).toBeVisible()
    expect(screen.queryByTestId('arrival-estimate')).toBeNull()
  })

  it('orders without an estimate all the same', async () => {
    signIn()
    server.use(
      http.get('*/api/v1/delivery/estimates', () => problem(422, 'No.')),
      http.post('*/api/v1/orders', async ({ request }) => {
        await placing(request)
        return problem(503, 'Later.')
      }),
    )
    show(<CartPage />, '/cart')
    await waitFor(() => { expect(screen.getByTestId('arrival-estimate')).toHaveTextContent('N/A') })
    await clickOrder()
    await waitFor(() => { expect(placed).toHaveLength(1) })
  })

  it('drops an item that no longer exists', async () => {
    cart.add('gone')
    server.use(http.get('*/api/v1/collection/getOne/gone', () => problem(404, 'Item not found.')))
    show(<CartPage />, '/cart')
    expect(await screen.findByText('Failed to load item.')).toBeInTheDocument()
    expect(cart.get().orderItem).toEqual([{ key: 'i1', qty: 2 }])
  })

  it('takes a removal back', async () => {
    show(<CartPage />, '/cart')
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Chicken Kottu' }))
    expect(screen.getByText('Your cart is empty.')).toBeInTheDocument()
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(cart.get().orderItem).toEqual([{ key: 'i1', qty: 2 }])
  })

  it('says when it is empty', () => {
    cart.clear()
    show(<CartPage />, '/cart')
    expect(screen.getByText('Your cart is empty.')).toBeVisible()
  })
})
