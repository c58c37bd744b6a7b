import { expect, it } from 'vitest'

import { keepRows } from './keep-rows'

const rows = [
  { _id: '1', status: 'pending', places: [{ lat: 6.9 }] },
  { _id: '2', status: 'pending', places: [] },
  { _id: '3', status: 'preparing', places: [] },
]

it('keeps rows that moved up because another one left', () => {
  const now = keepRows(rows, structuredClone(rows.slice(1)))
  expect(now).toEqual(rows.slice(1))
  expect(Array.isArray(now) && now.map((row) => rows.indexOf(row))).toEqual([1, 2])
})

it('takes a row that changed, and keeps the others', () => {
  const changed = { ...rows[1], status: 'confirmed' }
  const now = keepRows(rows, [...structuredClone([rows[2], rows[0]]), changed])
  expect(now).toEqual([rows[2], rows[0], changed])
  expect(Array.isArray(now) && now.map((row) => rows.indexOf(row))).toEqual([2, 0, -1])
})

it('is the same list where nothing changed', () => {
  expect(keepRows(rows, structuredClone(rows))).toBe(rows)
})

it('takes what is no list of rows as it is', () => {
  const page = { rows }
  expect(keepRows(undefined, rows)).toBe(rows)
  expect(keepRows(rows, page)).toBe(page)
  expect(keepRows([1, 2], rows)).toBe(rows)
})
