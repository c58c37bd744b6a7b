import { platform, problem } from '@test/platform'
import { signIn, tokenFor } from '@test/render'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { cart } from '@/lib/cart'
import { session } from '@/lib/session'

import { listDeliveries, listOrders } from './generated/sdk.gen'
import { isProblem } from './problem'
import { exchangeToken } from './refresh'

const server = platform()
let seen: string[] = []
let refreshes = 0

/** Orders and deliveries that take `good` alone. */
function guarded(good: string) {
  return ['orders', 'delivery'].map((path) =>
    http.get(`*/api/v1/${path}`, ({ request }) => {
      const token = request.headers.get('authorization') ?? ''
      seen.push(token)
      return token === `Bearer ${good}` ? HttpResponse.json([]) : problem(401, 'The token has run out.')
    }),
  )
}

function refreshing(answer: () => Response) {
  return http.post('*/api/v1/users/refresh', () => {
    refreshes += 1
    return answer()
  })
}

function newToken(token: string) {
  return refreshing(() => HttpResponse.json({ message: 'ok', token, user: session.user() }))
}

beforeEach(() => {
  seen = []
  refreshes = 0
})

describe('a call with the token of the session', () => {
  it('renews a refused token once for all calls under way, and repeats them', async () => {
    const old = tokenFor(900)
    const fresh = tokenFor(900)
    signIn({}, old)
    server.use(...guarded(fresh), newToken(fresh))
    await Promise.all([listOrders(), listDeliveries(), listOrders()])
    expect(refreshes).toBe(1)
    expect(seen.filter((token) => token === `Bearer ${fresh}`)).toHaveLength(3)
    expect(session.token()).toBe(fresh)
  })

  it('renews a token about to end before it is used', async () => {
    const fresh = tokenFor(900)
    signIn({}, tokenFor(5))
    server.use(...guarded(fresh), newToken(fresh))
    await listOrders()
    expect(refreshes).toBe(1)
    expect(seen).toEqual([`Bearer ${fresh}`])
  })

  it('uses the token that another tab has fetched meanwhile', async () => {
    const fresh = tokenFor(900)
    signIn({}, tokenFor(900))
    server.use(
      http.get('*/api/v1/orders', ({ request }) => {
        const good = request.headers.get('authorization') === `Bearer ${fresh}`
        localStorage.setItem('token', fresh)
        return good ? HttpResponse.json([]) : problem(401, 'The token has run out.')
      }),
    )
    await expect(listOrders()).resolves.toEqual([])
    expect(refreshes).toBe(0)
  })

  it('ends the session when there is no other token, and keeps the cart', async () => {
    signIn()
    cart.add('kottu')
    server.use(...guarded('none'), refreshing(() => problem(401, 'The session is over.')))
    const error = await listOrders().catch((cause: unknown) => cause)
    expect(isProblem(error) && error.status).toBe(401)
    expect(session.user()).toBeNull()
    expect(cart.get().orderItem).toHaveLength(1)
  })

  it.each([
    ['user.blocked', true],
    ['user.session-over', false],
  ])('remembers whether the session ended by a block (%s)', async (code, wasBlocked) => {
    signIn()
    server.use(...guarded('none'), refreshing(() => problem(403, 'User is blocked', { code })))
    await expect(listOrders()).rejects.toMatchObject({ status: 401 })
    expect(session.user()).toBeNull()
    expect(session.wasBlocked()).toBe(wasBlocked)
  })

  it('calls without a token once the session is over: public calls still work', async () => {
    signIn()
    server.use(
      http.get('*/api/v1/orders', ({ request }) =>
        request.headers.has('authorization') ? problem(401, 'The token was ended.') : HttpResponse.json([]),
      ),
      refreshing(() => problem(401, 'The session is over.')),
    )
    await expect(listOrders()).resolves.toEqual([])
  })

  it('never uses the token of another user who signed in meanwhile', async () => {
    signIn()
    const other = tokenFor(900)
    server.use(
      http.get('*/api/v1/orders', ({ request }) => {
        seen.push(request.headers.get('authorization') ?? '')
        signIn({ id: 'u2' }, other)
        return problem(401, 'The token was ended.')
      }),
    )
    await expect(listOrders()).rejects.toMatchObject({ status: 401 })
    expect(seen).not.toContain(`Bearer ${other}`)
    expect(session.token()).toBe(other)
  })

  it('ends the session where the refresh cookie is of another account', async () => {
    signIn()
    const other = tokenFor(900)
    server.use(
      ...guarded(other),
      refreshing(() => HttpResponse.json({ message: 'ok', token: other, user: { ...session.user(), id: 'u2' } })),
    )
    await expect(listOrders()).rejects.toMatchObject({ status: 401 })
    expect(session.user()).toBeNull()
    expect(seen).not.toContain(`Bearer ${other}`)
  })

  it('does not sign in again with a cookie that was left behind', async () => {
    session.end()
    server.use(newToken(tokenFor(900)))
    await expect(exchangeToken()).resolves.toBeNull()
    expect(refreshes).toBe(0)
  })

  it('keeps the session when the user service is away', async () => {
    signIn()
    server.use(...guarded('none'), refreshing(() => problem(503, 'Not ready.')))
    await expect(listOrders()).rejects.toMatchObject({ status: 503 })
    expect(session.user()).not.toBeNull()
  })

  it('throws the refusal of a service with its message', async () => {
    server.use(http.get('*/api/v1/orders', () => problem(422, 'No.', { fields: { address: 'Too long.' } })))
    await expect(listOrders()).rejects.toMatchObject({ message: 'No.', fields: { address: 'Too long.' } })
  })
})
