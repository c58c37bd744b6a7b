import { describe, expect, it } from 'vitest'

import { type FleetLabel, placeLabels } from './fleet-labels'

const label = (text: string, x: number, y: number, isFirst = false): FleetLabel => ({ text, x, y, isFirst })
const written = (...labels: FleetLabel[]) => placeLabels(labels, (text) => text.length * 7).map((one) => one.label.text)

describe('the names of markers', () => {
  it('are beside each one that has room', () => {
    expect(written(label('Kasun', 0, 0), label('Nimal', 0, 40), label('Ruwan', 200, 0))).toEqual(['Kasun', 'Nimal', 'Ruwan'])
  })

  it('cover no other name and no other marker', () => {
    expect(written(label('Kasun', 0, 0), label('Nimal', -30, 14))).toEqual(['Kasun'])
    expect(written(label('Kasun', 0, 0), label('Nimal', 30, 0))).toEqual(['Nimal'])
  })

  it('are written of the marker that is picked or pointed at, whatever is there', () => {
    expect(written(label('Nimal', 0, 0), label('ORD-1 · Kasun', -20, 0, true))).toEqual(['ORD-1 · Kasun'])
    const many = Array.from({ length: 100 }, (_, at) => label(`Driver ${at}`, 0, at * 40))
    expect(written(...many, label('ORD-1 · Kasun', 400, 0, true))).toEqual(['ORD-1 · Kasun'])
  })
})
