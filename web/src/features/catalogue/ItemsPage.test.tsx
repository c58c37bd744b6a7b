import { item, list, platform, problem, restaurant } from '@test/platform'
import { show } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import type { Item } from '@/api/generated/types.gen'
import { cart } from '@/lib/cart'

import { ItemsPage } from './ItemsPage'

const server = platform()

/** Answers as the service searches. */
function found(dishes: Item[]) {
  return http.get('*/api/v1/collection', ({ request }) => {
    const asked = new URL(request.url).searchParams
    const q = asked.get('q')?.toLowerCase() ?? ''
    const category = asked.get('category') ?? ''
    return HttpResponse.json(
      dishes.filter((dish) => dish.name.toLowerCase().includes(q) && (category === '' || dish.category === category)),
    )
  })
}
const dishes = [
  item(),
  item({ _id: 'i2', name: 'Watalappan', category: 'dessert' }),
  item({ _id: 'i3', name: 'Family Biryani', category: 'familymeals', available: false }),
]

describe('the list of items', () => {
  it('shows eight skeletons while it loads', () => {
    server.use(
      list('restaurant', []),
      http.get('*/api/v1/collection', async () => {
        await delay('infinite')
        return HttpResponse.json([])
      }),
    )
    show(<ItemsPage />, '/item')
    expect(screen.getAllByTestId('item-skeleton')).toHaveLength(8)
  })

  it('says so when nothing is there', async () => {
    server.use(list('restaurant', []), list('collection', []))
    show(<ItemsPage />, '/item')
    expect(await screen.findByText('No items found.')).toBeVisible()
  })

  it('shows the words of the service when it fails', async () => {
    server.use(list('restaurant', []), http.get('*/api/v1/collection', () => problem(400, 'The kitchen is on fire.')))
    show(<ItemsPage />, '/item')
    expect(await screen.findByText('The kitchen is on fire.')).toBeVisible()
  })

  it('searches and filters, in the URL', async () => {
    server.use(list('restaurant', [restaurant()]), found(dishes))
    const router = show(<ItemsPage />, '/item?category=dessert')
    expect(await screen.findByText('Watalappan')).toBeVisible()
    expect(screen.queryByText('Chicken Kottu')).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'All' }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search items' }), 'kottu')
    await waitFor(() => {
      expect(screen.queryByText('Watalappan')).toBeNull()
    })
    expect(screen.getByText('Chicken Kottu')).toBeVisible()
    expect(router.state.location.search).toBe('?q=kottu')
  })

  it('puts an item into the cart, unless it is out of stock', async () => {
    server.use(list('restaurant', [restaurant()]), found(dishes))
    show(<ItemsPage />, '/item')
    await userEvent.click(await screen.findByRole('button', { name: 'Add Chicken Kottu to cart' }))
    expect(cart.get().orderItem).toEqual([{ key: 'i1', qty: 1 }])
    expect(screen.getByRole('button', { name: 'Family Biryani: Out of Stock' })).toBeDisabled()
  })

  it('takes nothing from a closed restaurant', async () => {
    server.use(list('restaurant', [restaurant({ isOpen: false })]), found(dishes))
    show(<ItemsPage />, '/item')
    expect(await screen.findByRole('button', { name: 'Chicken Kottu: Closed' })).toBeDisabled()
  })
})
