import { list, platform, problem, profile, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { RestaurantsPage } from './RestaurantsPage'

const server = platform()
let asked: string[] = []

beforeEach(() => {
  asked = []
  server.use(
    list('restaurant', [
      restaurant({ _id: 'r2', name: 'Pepper House' }),
      restaurant({ _id: 'r1', name: 'Lotus Kitchen' }),
      restaurant({ _id: 'r3', name: 'Night Owl', isOpen: false }),
    ]),
    http.get('*/api/v1/users/u1', () => HttpResponse.json(profile())),
    http.get('*/api/v1/delivery/estimates', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json([
        { restaurantId: 'r1', earliestMinutes: 25, latestMinutes: 35, basis: 'street' },
        { restaurantId: 'r2', earliestMinutes: 40, latestMinutes: 60, basis: 'straight' },
      ])
    }),
  )
})

async function cardOf(name: string) {
  const card = (await screen.findByRole('link', { name })).closest('article')
  if (card === null) throw new Error('a card')
  return within(card)
}

describe('the time of delivery on the cards of restaurants', () => {
  it('is that to the place of the profile, asked for once for all open ones', async () => {
    signIn()
    show(<RestaurantsPage />, '/restaurant')
    expect(await (await cardOf('Lotus Kitchen')).findByText('25–35 min')).toBeVisible()
    expect((await cardOf('Pepper House')).getByText('about 40–60 min')).toBeVisible()
    expect((await cardOf('Pepper House')).getByRole('img', { name: 'Delivered in' })).toBeVisible()
    expect((await cardOf('Night Owl')).queryByTestId('delivery-time')).toBeNull()
    expect(asked).toEqual(['?lat=6.9&lng=79.8&restaurants=r1%2Cr2'])
  })

  it('is left out, with the cards there, when the service fails', async () => {
    signIn()
    server.use(http.get('*/api/v1/delivery/estimates', ({ request }) => {
      asked.push(request.url)
      return problem(422, 'The place is not on the earth.')
    }))
    show(<RestaurantsPage />, '/restaurant')
    await waitFor(() => { expect(asked).toHaveLength(1) })
    expect((await cardOf('Lotus Kitchen')).queryByTestId('delivery-time')).toBeNull()
    expect(screen.queryByText('The place is not on the earth.')).toBeNull()
  })

  it.each([
    { by: 'a guest', user: null, place: {} },
    { by: 'a customer without a place', user: 'customer', place: { lat: null, lng: null } },
    { by: 'a driver', user: 'delivery', place: {} },
  ] as const)('is not asked for by $by', async ({ user, place }) => {
    if (user !== null) signIn({ role: user })
    server.use(http.get('*/api/v1/users/u1', () => HttpResponse.json(profile(place))))
    show(<RestaurantsPage />, '/restaurant')
    expect((await cardOf('Lotus Kitchen')).queryByTestId('delivery-time')).toBeNull()
    // Longer than the page takes to paint and to ask.
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(asked).toEqual([])
  })
})
