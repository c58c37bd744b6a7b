import { order, payment, platform, problem, list } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Payment } from '@/api/generated/types.gen'
import { config } from '@/lib/config'

import { PaymentPage } from './PaymentPage'

const SCRIPT = 'https://js.stripe.example/v3/'
const server = platform()
let made: Payment[] = []
let asked: unknown[] = []
let confirmed: string[] = []
let tokens = 0

/** Stripe's script in its least form: the journey runs a whole one. */
function stripe() {
  return {
    elements: () => ({
      create: () => ({
        mount: (place: HTMLElement) => { place.append('the field of Stripe') },
        destroy: () => undefined,
      }),
    }),
    createToken: () => Promise.resolve(tokens < 0 ? { error: {} } : { token: { id: `tok_${String((tokens += 1))}` } }),
    confirmCardPayment: (secret: string) => {
      confirmed.push(secret)
      return Promise.resolve({ error: null })
    },
  }
}

const script = () => document.querySelector(`script[src="${SCRIPT}"]`)

/** Takes payments; the bank asks about each. */
function paying(secret?: string) {
  return http.post<never, { bookingId: string; amount: number }>('*/api/v1/payment', async ({ request }) => {
    const body = await request.json()
    asked.push(body)
    const status = secret === undefined ? 'captured' : 'pending'
    const answer = payment({ bookingId: body.bookingId, amount: body.amount, _id: `p${String(asked.length)}`, status })
    made.push(answer)
    return HttpResponse.json({ message: '', payment: answer, ...(secret === undefined ? {} : { clientSecret: secret }) }, { status: 201 })
  })
}

/** Answers what became of a pending payment. */
function checked(answer: (body: unknown) => Response) {
  return http.post('*/api/v1/payment/check/:id', async ({ request }) => {
    const text = await request.text()
    return answer(text === '' ? {} : JSON.parse(text))
  })
}

function settle(status: Payment['status']) {
  made = made.map((one) => ({ ...one, status }))
}

const pay = async () => {
  await screen.findByText('the field of Stripe')
  await userEvent.click(screen.getByRole('button', { name: /^Pay Rs/ }))
}

beforeEach(() => {
  made = []
  asked = []
  confirmed = []
  tokens = 0
  config().stripe = { publishableKey: 'pk_1', script: SCRIPT }
  window.Stripe = stripe
  signIn()
  server.use(
    list('orders', [order({ _id: 'x1', orderId: 'ORD-1', totalAmount: 60 }), order({ _id: 'x2', orderId: 'ORD-2', totalAmount: 40 })]),
    http.get('*/api/v1/payment', () => HttpResponse.json(made)),
  )
})
afterEach(() => {
  config().stripe = null
  delete window.Stripe
  script()?.remove()
  notifications.clean()
})

describe('paying by Stripe', () => {
  it('pays each share with a separate token, and has no field for a card', async () => {
    server.use(paying())
    const router = show(<PaymentPage />, '/payment?checkout=c1')
    await screen.findByText('the field of Stripe')
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument()
    expect(screen.queryByText('PayPal')).not.toBeInTheDocument()
    await pay()
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(asked).toEqual([
      { bookingId: 'ORD-1', amount: 50, paymentType: 'Card', cardToken: 'tok_1' },
      { bookingId: 'ORD-2', amount: 50, paymentType: 'Card', cardToken: 'tok_2' },
    ])
  })

  it('says what it waits for, and what to do when the script is blocked', async () => {
    delete window.Stripe
    show(<PaymentPage />, '/payment?checkout=c1')
    expect(await screen.findByText('Loading the card field…')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: /^Pay Rs/ })).toBeDisabled()
    await waitFor(() => { expect(script()).not.toBeNull() })
    script()?.dispatchEvent(new Event('error'))
    expect(await screen.findByText(/^The card field can't be loaded\./)).toBeInTheDocument()
    expect(script()).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => { expect(script()).not.toBeNull() })
    window.Stripe = stripe
    script()?.dispatchEvent(new Event('load'))
    expect(await screen.findByText('the field of Stripe')).toBeInTheDocument()
  })

  it('asks for nothing while the card is incomplete', async () => {
    tokens = -1
    show(<PaymentPage />, '/payment?checkout=c1')
    await pay()
    expect(await screen.findByText("Please check your card's details.")).toBeInTheDocument()
    expect(asked).toEqual([])
  })

  it('lets the customer confirm at the bank, and believes the service alone', async () => {
    server.use(
      paying('pi_1_secret_1'),
      checked(() => {
        settle('declined')
        return problem(402, 'Payment failed.')
      }),
    )
    show(<PaymentPage />, '/payment?checkout=c1')
    await pay()
    expect(await screen.findByText('Payment failed.')).toBeInTheDocument()
    expect(confirmed).toEqual(['pi_1_secret_1'])
    expect(asked).toHaveLength(1)
    expect(screen.getByText('the field of Stripe')).toBeInTheDocument()
  })

  it('goes on with a payment that waited while the page was closed', async () => {
    made = ['ORD-1', 'ORD-2'].map((bookingId) => payment({ _id: bookingId, bookingId, amount: 50, status: 'captured' }))
    made = made.map((one, at) => (at === 0 ? { ...one, status: 'pending' } : one))
    server.use(
      checked(() => {
        if (confirmed.length > 0) settle('captured')
        return HttpResponse.json({ message: '', payment: made[0], ...(confirmed.length === 0 ? { clientSecret: 'pi_2_secret_2' } : {}) })
      }),
    )
    show(<PaymentPage />, '/payment?checkout=c1')
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm now' }))
    expect(await screen.findByText('Everything is paid.')).toBeInTheDocument()
    expect(confirmed).toEqual(['pi_2_secret_2'])
  })

  it('gives a payment up, and takes another card', async () => {
    made = [payment({ _id: 'p1', bookingId: 'ORD-1', amount: 50, status: 'pending' })]
    const bodies: unknown[] = []
    server.use(
      checked((body) => {
        bodies.push(body)
        if (JSON.stringify(body) === '{"giveUp":true}') {
          settle('declined')
          return problem(402, 'Payment failed.')
        }
        return HttpResponse.json({ message: '', payment: made[0], clientSecret: 'pi_3_secret_3' }, { status: 202 })
      }),
    )
    show(<PaymentPage />, '/payment?checkout=c1')
    await userEvent.click(await screen.findByRole('button', { name: 'Pay in another way' }))
    expect(await screen.findByRole('button', { name: 'Pay Rs. 100.00' })).toBeEnabled()
    expect(screen.queryByText('Your bank asks you to confirm the payment.')).not.toBeInTheDocument()
    expect(bodies).toContainEqual({ giveUp: true })
  })

  it('says that a payment is being processed', async () => {
    made = [payment({ _id: 'p1', bookingId: 'ORD-1', amount: 100, status: 'pending' })]
    server.use(checked(() => HttpResponse.json({ message: '', payment: made[0] }, { status: 202 })))
    show(<PaymentPage />, '/payment?checkout=c1')
    expect(await screen.findByText('Your payment is being processed. You may close this page.')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Confirm now' })).not.toBeInTheDocument()
  })
})
