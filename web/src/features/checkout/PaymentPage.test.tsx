import { list, order, payment, platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Payment } from '@/api/generated/types.gen'

import { PaymentPage } from './PaymentPage'

const server = platform()
const orders = [
  order({ _id: 'x1', orderId: 'ORD-1', totalAmount: 60 }),
  order({ _id: 'x2', orderId: 'ORD-2', totalAmount: 40.01 }),
]
let made: Payment[] = []
let asked: { key: string | null; body: { bookingId: string; amount: number; paymentType: string } }[] = []

/** Takes payments; an order that `refusal` answers for is refused. */
function paying(refusal: (bookingId: string) => Response | undefined = () => undefined) {
  return http.post<never, { bookingId: string; amount: number; paymentType: 'Card' }>('*/api/v1/payment', async ({ request }) => {
    const body = await request.json()
    asked.push({ key: request.headers.get('idempotency-key'), body })
    const refused = refusal(body.bookingId)
    if (refused !== undefined) return refused
    made.push(payment({ ...body, _id: `p${String(asked.length)}` }))
    return HttpResponse.json({ message: 'Payment successful', payment: payment(body) }, { status: 201 })
  })
}

async function fill(number = '4242424242424242', expiry = '1234', cvv = '123') {
  await userEvent.type(await screen.findByLabelText('Card number'), number)
  await userEvent.type(screen.getByLabelText('Expiry'), expiry)
  await userEvent.type(screen.getByLabelText('CVV'), cvv)
}

const pay = async () => userEvent.click(await screen.findByRole('button', { name: /^Pay Rs/ }))

beforeEach(() => {
  made = []
  asked = []
  signIn()
  server.use(
    list('orders', orders),
    http.get('*/api/v1/payment', () => HttpResponse.json(made)),
  )
})
afterEach(() => {
  notifications.clean()
})

describe('paying a checkout', () => {
  it('formats the card as it is typed, and takes no more than fits', async () => {
    show(<PaymentPage />, '/payment?checkout=c1')
    await fill('55555555555544449', '12345', '1234')
    expect(screen.getByLabelText('Card number')).toHaveValue('5555 5555 5555 4444')
    expect(screen.getByLabelText('Expiry')).toHaveValue('12/34')
    expect(screen.getByLabelText('CVV')).toHaveValue('123')
    expect(screen.getByText('Mastercard')).toBeInTheDocument()
  })

  it('names what is wrong with the card, and asks for nothing', async () => {
    show(<PaymentPage />, '/payment?checkout=c1')
    await fill('4242', '1320', '1')
    await pay()
    expect(await screen.findByText('Invalid card number')).toBeInTheDocument()
    expect(screen.getByText('Invalid expiry (MM/YY)')).toBeInTheDocument()
    expect(screen.getByText('Invalid CVV')).toBeInTheDocument()
    expect(asked).toEqual([])
  })

  const equalParts = 'The total is split equally: one payment for each order.'

  it('says why an order pays another sum than its price', async () => {
    show(<PaymentPage />, '/payment?checkout=c1')
    expect(await screen.findByText(equalParts)).toBeInTheDocument()
  })

  it('does not where it pays its price', async () => {
    server.use(list('orders', orders.slice(0, 1)))
    show(<PaymentPage />, '/payment?checkout=c1')
    expect(await screen.findByTestId('payment-total')).toHaveTextContent('Rs. 60.00')
    expect(screen.queryByText(equalParts)).not.toBeInTheDocument()
  })

  it('settles every order with one click, and goes home', async () => {
    server.use(paying())
    const router = show(<PaymentPage />, '/payment?checkout=c1')
    await fill()
    await pay()
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(asked.map(({ body }) => body)).toEqual([
      { bookingId: 'ORD-1', amount: 50.01, paymentType: 'Card', cardNumber: '4242424242424242', expiry: '12/34', cvv: '123' },
      { bookingId: 'ORD-2', amount: 50, paymentType: 'Card', cardNumber: '4242424242424242', expiry: '12/34', cvv: '123' },
    ])
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('4242')
  })

  it('continues after a failure where it stopped, with the same keys', async () => {
    let away = true
    server.use(paying((bookingId) => (away && bookingId === 'ORD-2' ? HttpResponse.error() : undefined)))
    show(<PaymentPage />, '/payment?checkout=c1')
    await userEvent.click(await screen.findByText('PayPal'))
    await pay()
    expect(await screen.findByText('Payment failed.')).toBeInTheDocument()
    expect(await screen.findByText(/^Rs\. 50\.01 of Rs\. 100\.01 is paid/)).toBeInTheDocument()
    away = false
    await userEvent.click(screen.getByRole('button', { name: 'Pay Rs. 50.00' }))
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
    expect(asked.map(({ body }) => body.bookingId)).toEqual(['ORD-1', 'ORD-2', 'ORD-2'])
    expect(asked[2]?.key).toBe(asked[1]?.key)
    expect(asked[1]?.key).not.toBe(asked[0]?.key)
  })

  it('says that a card was refused, and takes another', async () => {
    server.use(paying(() => (asked.length === 1 ? problem(402, 'Payment failed.') : undefined)))
    show(<PaymentPage />, '/payment?checkout=c1')
    await fill('4000000000000002')
    await pay()
    expect(await screen.findByText('Payment failed.')).toBeInTheDocument()
    await userEvent.clear(screen.getByLabelText('Card number'))
    await userEvent.type(screen.getByLabelText('Card number'), '4242424242424242')
    await pay()
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
  })

  it('passes over what was paid elsewhere meanwhile', async () => {
    const elsewhere = (bookingId: string) => {
      if (bookingId !== 'ORD-1') return undefined
      made.push(payment({ bookingId, amount: 50.01 }))
      return problem(409, "This order's share is already paid.")
    }
    server.use(paying(elsewhere))
    show(<PaymentPage />, '/payment?checkout=c1')
    await userEvent.click(await screen.findByText('Bank Transfer'))
    await pay()
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
  })

  it('has nothing to ask for when all is paid', async () => {
    made = orders.map(({ orderId }, at) => payment({ bookingId: orderId, amount: at === 0 ? 50.01 : 50 }))
    show(<PaymentPage />, '/payment?checkout=c1')
    expect(await screen.findByText('Everything is paid.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Invoice of ORD-1' })).toBeInTheDocument()
  })

  it('says nothing is paid until all of it is, whatever was refused without a reason to pay', async () => {
    // The server knows of the orders less than this page.
    server.use(paying((bookingId) => (bookingId === 'ORD-2' ? problem(409, "This order's share is already paid.") : undefined)))
    const router = show(<PaymentPage />, '/payment?checkout=c1')
    await userEvent.click(await screen.findByText('PayPal'))
    await pay()
    expect(await screen.findByRole('button', { name: 'Pay Rs. 50.00' })).toBeEnabled()
    expect(screen.queryByText('Thank you! Your order is paid.')).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/payment')
    expect(screen.getByText('Share paid')).toBeInTheDocument()
    expect(screen.queryByText('Paid')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Invoice of ORD-1' })).not.toBeInTheDocument()
  })

  it('shows what is left once the others are called off, and settles it with one click', async () => {
    const [dear, cheap] = [
      order({ _id: 'x1', orderId: 'ORD-1', totalAmount: 970_200 }),
      order({ _id: 'x2', orderId: 'ORD-2', totalAmount: 38_170, status: 'cancelled' }),
    ]
    made = [payment({ _id: 'p1', bookingId: 'ORD-1', amount: 504_185 })]
    server.use(list('orders', [dear, cheap]), paying())
    show(<PaymentPage />, '/payment?checkout=c1')
    const summary = within(await screen.findByRole('region', { name: 'Summary' }))
    expect(summary.getByText('Paid so far').parentElement).toHaveTextContent('Rs. 504,185.00')
    expect(summary.getByText('Left to pay').parentElement).toHaveTextContent('Rs. 466,015.00')
    expect(screen.getByTestId('due')).toHaveTextContent('To pay')
    await userEvent.click(screen.getByText('Bank Transfer'))
    await userEvent.click(screen.getByRole('button', { name: 'Pay Rs. 466,015.00' }))
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
    expect(asked.map(({ body }) => body)).toEqual([{ bookingId: 'ORD-1', amount: 466_015, paymentType: 'Bank Transfer' }])
  })

  it('says what went back, and that the rest is paid', async () => {
    made = [payment({ bookingId: 'ORD-1', amount: 50.01, refunded: 10, status: 'refunding' })]
    const [off, kept] = [{ ...orders[0], status: 'cancelled' }, orders[1]]
    server.use(list('orders', [off, kept]))
    show(<PaymentPage />, '/payment?checkout=c1')
    expect(await screen.findByText('Everything is paid.')).toBeInTheDocument()
    expect(screen.getByText('Being refunded').parentElement).toHaveTextContent('Rs. 10.00')
    expect(screen.getByRole('button', { name: 'Invoice of ORD-2' })).toBeInTheDocument()
  })

  it('says when there is no such booking', async () => {
    show(<PaymentPage />, '/payment?checkout=unknown')
    await waitFor(() => {
      expect(screen.getByText('Booking details not found.')).toBeInTheDocument()
    })
  })
})
