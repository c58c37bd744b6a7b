import { describe, expect, it } from 'vitest'

import { type Column, searchRows, nextSort, sortRows } from './columns'

interface Dish {
  name: string
  price: number | null
}

const columns: Column<Dish>[] = [
  { id: 'name', label: 'Name', value: (dish) => dish.name, cell: (dish) => dish.name },
  { id: 'price', label: 'Price', value: (dish) => dish.price, cell: (dish) => dish.price },
]
const dishes = [
  { name: 'kottu 10', price: 900 },
  { name: 'Kottu 9', price: null },
  { name: 'àppam', price: 1200 },
]

function names(rows: Dish[]) {
  return rows.map((dish) => dish.name)
}

describe('the order of rows', () => {
  it.each([
    [{ by: 'name', descending: false }, ['àppam', 'Kottu 9', 'kottu 10']],
    [{ by: 'name', descending: true }, ['kottu 10', 'Kottu 9', 'àppam']],
    [{ by: 'price', descending: false }, ['kottu 10', 'àppam', 'Kottu 9']],
    [{ by: 'price', descending: true }, ['àppam', 'kottu 10', 'Kottu 9']],
    [{ by: 'nothing', descending: false }, names(dishes)],
    [null, names(dishes)],
  ])('%o', (sort, expected) => {
    expect(names(sortRows(dishes, columns, sort))).toEqual(expected)
  })

  it('goes up, down and back as it was', () => {
    const up = nextSort(null, 'name')
    const down = nextSort(up, 'name')
    expect([up, down, nextSort(down, 'name')]).toEqual([
      { by: 'name', descending: false },
      { by: 'name', descending: true },
      null,
    ])
    expect(nextSort(down, 'price')).toEqual({ by: 'price', descending: false })
  })
})

describe('looking for rows', () => {
  it.each([
    ['', 3],
    ['KOTTU', 2],
    ['kottu 900', 1],
    ['pizza', 0],
  ])('%s', (q, count) => {
    expect(searchRows(dishes, columns, q)).toHaveLength(count)
  })
})
