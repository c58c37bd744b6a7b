import { afterEach, expect, test, vi } from 'vitest'

import { prefetchedResponse } from './prefetched'

const url = '/api/v1/restaurant'
const response = Response.json([])
const answer = Promise.resolve(response)

afterEach(() => {
  globalThis.askedAhead = undefined
})

function prefetch(token: string | null) {
  globalThis.askedAhead = { config: answer, token, answers: Promise.resolve({ [url]: answer }) }
}

test('a prefetched answer is given once', async () => {
  prefetch(null)
  expect(await prefetchedResponse('/api/v1/orders', null)).toBeUndefined()
  expect(await prefetchedResponse(url, null)).toBe(response)
  expect(await prefetchedResponse(url, null)).toBeUndefined()
})

test('an answer to another account, or an old one, is not given', async () => {
  prefetch('before')
  expect(await prefetchedResponse(url, 'now')).toBeUndefined()
  prefetch(null)
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(await prefetchedResponse(url, null)).toBeUndefined()
})

test('without prefetched calls there is no answer', async () => {
  expect(await prefetchedResponse(url, null)).toBeUndefined()
})
