import { expect, it } from 'vitest'

import { scaleOf } from './chart-scale'

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [7, [0, 2, 4, 6, 8]],
  [750, [0, 200, 400, 600, 800]],
  [16_136_820, [0, 5_000_000, 10_000_000, 15_000_000, 20_000_000]],
])('has round marks up to %i', (most, marks) => {
  expect(scaleOf(most)).toEqual(marks)
})
