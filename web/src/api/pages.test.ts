import { platform } from '@test/platform'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { delay, http, HttpResponse } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'

import { changeRows, cursorOf, everyRow, fetchNext, pagesQuery } from './pages'

interface Answers {
  200: { id: number }[]
}

const server = platform()
const queries = new QueryClient()

afterEach(() => {
  server.resetHandlers()
  queries.clear()
})

/** Five rows, two a page at most. */
const numbers = http.get('*/api/v1/numbers', ({ request }) => {
  const { searchParams } = new URL(request.url)
  const from = Number(searchParams.get('cursor') ?? 0)
  const rows = [0, 1, 2, 3, 4].slice(from, from + 2).map((id) => ({ id }))
  const link = from + 2 < 5 ? `</api/v1/numbers?q=a%26b&limit=2&cursor=${from + 2}>; rel="next"` : ''
  return HttpResponse.json(rows, { headers: link === '' ? {} : { Link: link } })
})

describe('the way to the next page', () => {
  it.each([
    ['</api/v1/users?limit=2&cursor=7>; rel="next"', '7'],
    ['</api/v1/users?cursor=7_1_x%20y>; rel="next"', '7_1_x y'],
    ['</a?cursor=1>; rel="prev", </a?cursor=2>; rel="next"', '2'],
    ['</a?cursor=1>; rel="prev"', null],
    [null, null],
  ])('%s', (link, cursor) => {
    expect(cursorOf(link)).toBe(cursor)
  })
})

describe('a list by pages', () => {
  it('brings them one after the other', async () => {
    server.use(numbers)
    const asked = { ...pagesQuery<Answers>(['numbers'], '/api/v1/numbers', { q: 'a&b', role: '' }), pages: 3 }
    const { pages } = await queries.fetchInfiniteQuery(asked)
    expect(pages.map((page) => page.rows.map((row) => row.id))).toEqual([[0, 1], [2, 3], [4]])
  })

  it('has its next page though it is fetched again meanwhile', async () => {
    let asked = 0
    const neverFirst = http.get('*/api/v1/numbers', async ({ request }) => {
      if (new URL(request.url).searchParams.has('cursor') && ++asked === 1) await delay('infinite')
    })
    server.use(neverFirst, numbers)
    const query = pagesQuery<Answers>(['numbers'], '/api/v1/numbers', {})
    const list = new InfiniteQueryObserver(queries, query)
    const stop = list.subscribe(() => {})
    await expect.poll(() => list.getCurrentResult().isSuccess).toBe(true)
    const coming = fetchNext(list.getCurrentResult())
    await expect.poll(() => asked).toBe(1)
    await queries.invalidateQueries({ queryKey: ['numbers'] })
    await coming
    stop()
    expect(list.getCurrentResult().data?.pages).toHaveLength(2)
  })

  it('can be had whole', async () => {
    server.use(numbers)
    expect(await everyRow<Answers>('/api/v1/numbers', {})).toHaveLength(5)
  })

  it('is changed in all its pages, and put back', async () => {
    server.use(numbers)
    const query = pagesQuery<Answers>(['numbers'], '/api/v1/numbers', {})
    await queries.fetchInfiniteQuery({ ...query, pages: 2 })
    const shown = () => queries.getQueryData(query.queryKey)?.pages.flatMap((page) => page.rows.map((row) => row.id))
    const takeBack = changeRows<{ id: number }>(queries, ['numbers'], (row) => (row.id === 2 ? { id: 20 } : row))
    expect(shown()).toEqual([0, 1, 20, 3])
    takeBack()
    expect(shown()).toEqual([0, 1, 2, 3])
  })
})
