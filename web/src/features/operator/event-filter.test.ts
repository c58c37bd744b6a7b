import { afterEach, expect, it } from 'vitest'

import { faultsOf, fromField, isId, queryOf, readFilter, toField, typeOf } from './event-filter'
import { momentText } from './format'
import { setZone } from './time-zone'

const ID = '01a20063-1d04-7999-b9e1-5c66ad9d3d72'

function filter(text: string) {
  return readFilter(new URLSearchParams(text))
}

it('asks the service for what the address says, and for nothing else', () => {
  expect(queryOf(filter(`stream=orders&type=tiffin.order.placed.v1&q=%20kottu%20&at=ORDERS/1&sort=x`))).toEqual({
    stream: 'ORDERS',
    type: 'tiffin.order.placed.v1',
    q: 'kottu',
  })
  expect(queryOf(filter(''))).toEqual({})
})

it.each([
  [`aggregate=${ID}&correlation=${ID}`, {}],
  ['aggregate=12', { aggregate: 'id' }],
  ['correlation=ORD-V0P2WNP0&aggregate=ord-v0p2wnp0', {}],
  ['correlation=V0P2WNP0', { correlation: 'id' }],
  ['from=yesterday', { from: 'time' }],
  ['from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z', {}],
  ['from=2026-11-21T10:00:01Z&to=2026-11-21T10:00:00Z', { to: 'backwards' }],
  ['seq=12', {}],
  ['seq=12-40', {}],
  ['seq=40-12', { seq: 'backwards' }],
  ['seq=first', { seq: 'sequences' }],
])('finds what is wrong with %s', (text, faults) => {
  expect(faultsOf(filter(text))).toEqual(faults)
})

it('takes moments to the fields of a form and back', () => {
  expect(fromField(toField('2026-11-21T10:00:05Z'))).toBe('2026-11-21T10:00:05Z')
  expect([toField(''), toField('soon'), fromField(''), fromField('soon')]).toEqual(['', '', '', ''])
})

afterEach(() => {
  setZone('local')
})

it('takes them in UTC where times are shown in it', () => {
  setZone('utc')
  expect(toField('2026-11-21T10:00:05Z')).toBe('2026-11-21T10:00:05')
  expect(fromField('2026-11-21T10:00:05')).toBe('2026-11-21T10:00:05Z')
  expect(fromField('soon')).toBe('')
  expect(momentText('2026-11-21T23:20:27.660Z')).toContain('23:20:27.660')
})

it('knows ids', () => {
  expect([isId(ID), isId(ID.toUpperCase()), isId(`${ID}0`), isId('')]).toEqual([true, true, false, false])
})

it.each([
  ['tiffin.order.placed.v1', 'tiffin.order.placed.v1'],
  ['order.placed', 'tiffin.order.placed.v2'],
  ['Order placed', 'tiffin.order.placed.v2'],
  ['order.placed.v1', 'tiffin.order.placed.v1'],
  ['delivery on the way', 'tiffin.delivery.on_the_way.v1'],
  ['delivery.on_the_way', 'tiffin.delivery.on_the_way.v1'],
  ['order.plced', 'tiffin.order.plced.v1'],
  ['order', 'order'],
  ['', ''],
])('takes the type %s for %s', (text, type) => {
  expect(typeOf(text, ['tiffin.delivery.on_the_way.v1', 'tiffin.order.placed.v1', 'tiffin.order.placed.v2'])).toBe(type)
})
