import { expect, it } from 'vitest'

import { matchText } from './match-text'

it.each([
  [{ orderCode: 'ORD-1', itemName: 'Chicken kottu' }, 'KOTTU', 'Item name: Chicken kottu'],
  [{ lines: [{ dish: 'Rice' }, { dish: 'Hoppers' }] }, 'hopper', 'Dish: Hoppers'],
  [{ totalAmount: 2501 }, '2501', 'Total amount: 2501'],
  [{ note: `kottu ${'x'.repeat(100)}` }, 'kottu', `Note: kottu ${'x'.repeat(74)}…`],
  [{ itemName: 'Rice' }, 'kottu', null],
  [{ itemName: 'Rice' }, ' ', null],
  [null, 'kottu', null],
])('shows of %j what has %s', (data, searched, shown) => {
  expect(matchText(data, searched)).toBe(shown)
})
