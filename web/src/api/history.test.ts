import { expect, it } from 'vitest'

import { batchLines } from './history'

it('puts whole lines into calls that are small enough, in their order', () => {
  expect([...batchLines(['aaa', 'bbb', 'cc', 'd'], 8)]).toEqual([['aaa', 'bbb'], ['cc', 'd']])
  expect([...batchLines([], 8)]).toEqual([])
})

it('counts bytes, and does not split a line that is too long', () => {
  expect([...batchLines(['ලංකා', 'a'], 8)]).toEqual([['ලංකා'], ['a']])
})
