import { afterEach, expect, test, vi } from 'vitest'

import { answerAhead } from './ahead'

const url = '/api/v1/restaurant'
const response = Response.json([])
const answer = Promise.resolve(response)

afterEach(() => {
  globalThis.askedAhead = undefined
})

function asked(token: string | null) {
  globalThis.askedAhead = { config: answer, token, answers: Promise.resolve({ [url]: answer }) }
}

test('what was asked ahead is given once', async () => {
  asked(null)
  expect(await answerAhead('/api/v1/orders', null)).toBeUndefined()
  expect(await answerAhead(url, null)).toBe(response)
  expect(await answerAhead(url, null)).toBeUndefined()
})

test('an answer for another account, or an old one, is not given', async () => {
  asked('before')
  expect(await answerAhead(url, 'now')).toBeUndefined()
  asked(null)
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(await answerAhead(url, null)).toBeUndefined()
})

test('nothing was asked ahead', async () => {
  expect(await answerAhead(url, null)).toBeUndefined()
})
