import { expect, it } from 'vitest'

import { readPayload } from './json-text'

it('reads a payload', () => {
  expect(readPayload('{"total": 500}')).toEqual({ data: { total: 500 }, fault: null })
})

it('says where a text breaks off', () => {
  const broken = { kind: 'broken', message: 'invalid symbol', line: 3, column: 11 }
  expect(readPayload('{\n  "total": 500,\n  "paid": yes\n}').fault).toEqual(broken)
  expect(readPayload('').fault).toMatchObject({ kind: 'broken', message: 'value expected', line: 1, column: 1 })
  for (const text of ['{"a": 1,}', '{} // as agreed']) expect(readPayload(text).fault?.kind).toBe('broken')
})

it.each([
  ['[1]', 'not an object'],
  ['"text"', 'not an object'],
  ['null', 'not an object'],
  ['{"phone": "•••"}', 'masked'],
  ['{"people": [{"name": "•••"}]}', 'masked'],
])('refuses %s', (text, kind) => {
  expect(readPayload(text).fault?.kind).toBe(kind)
})
