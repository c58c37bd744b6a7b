import { expect, it } from 'vitest'

import { bytesText, countText, durationText, momentText, rateText, secondsSince, shortId } from './format'

it.each([
  [0, '0s'],
  [0.0123, '12.3ms'],
  [1, '1s'],
  [59.4, '59s'],
  [61, '1m'],
  [7_300, '2h'],
  [200_000, '2d'],
])('%s seconds', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [102_930, '102.9 kB'],
  [2_147_483_648, '2.1 GB'],
])('%s bytes', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

it('writes figures with their thousands', () => {
  expect([countText(12345), rateText(0.44), rateText(1204.4)]).toEqual(['12,345', '0.4', '1,204'])
})

it('formats moments to the millisecond, and leaves other texts as they are', () => {
  expect(momentText('2026-11-21T23:20:27.660Z')).toMatch(/21.*:20:27\.660$/)
  expect(momentText('soon')).toBe('soon')
  expect(secondsSince('2026-11-21T23:20:27Z', Date.parse('2026-11-21T23:20:30Z'))).toBe(3)
})

it('shortens ids to the part that differs', () => {
  expect(shortId('01a20063-1d04-7999-b9e1-5c66ad9d3d72')).toBe('…ad9d3d72')
  expect(shortId('tiffin/order')).toBe('tiffin/order')
})
