import { expect, it } from 'vitest'

import { readChanges } from './row-diff'

it('says of a row that changes only what differs', () => {
  expect(
    readChanges([
      {
        table: 'deliveries',
        before: { id: 'd1', status: 'open', version: 1, place: { lat: 6.9 } },
        after: { id: 'd1', status: 'closed', version: 2, place: { lat: 6.9 } },
      },
    ]),
  ).toEqual([
    {
      table: 'deliveries',
      name: 'd1',
      kind: 'changed',
      fields: [
        { field: 'status', before: 'open', after: 'closed' },
        { field: 'version', before: '1', after: '2' },
      ],
    },
  ])
})

it('reports the change of a masked field', () => {
  const [change] = readChanges([
    {
      table: 'people',
      before: { id: 'p1', first_name: '•••', phone: '•••' },
      after: { id: 'p1', first_name: '•••', phone: '•••' },
      changed: ['first_name'],
    },
  ])
  expect(change?.fields).toEqual([{ field: 'first_name', before: '•••', after: '•••' }])
})

it('distinguishes added rows from removed ones', () => {
  const changes = readChanges([
    { table: 'orders', before: null, after: { order_id: 'x1', paid: null } },
    { table: 'orders', before: { order_id: 'x2', paid: false }, after: null },
    'rubbish',
  ])
  expect(changes.map(({ kind, name }) => [kind, name])).toEqual([
    ['added', 'x1'],
    ['removed', 'x2'],
  ])
  expect(changes[0]?.fields).toEqual([
    { field: 'order_id', before: undefined, after: 'x1' },
    { field: 'paid', before: undefined, after: 'null' },
  ])
})
