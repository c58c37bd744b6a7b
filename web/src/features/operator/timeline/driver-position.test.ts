import { BEGIN, Writer } from '@test/history'
import { expect, it } from 'vitest'

import { readHistory } from './history'
import { positionsOf, driverPositionAt } from './driver-position'

function positionsAt(...positions: [second: number, lat: number][]) {
  const writer = new Writer()
  for (const [second, lat] of positions) writer.position(second * 1000, lat)
  return positionsOf(readHistory(writer.views))
}

const at = (second: number) => BEGIN + second * 1000

it('is unknown before the first position', () => {
  expect(driverPositionAt(positionsAt([1, 6.9]), at(0))).toBeNull()
})

it('is between two positions as far as time is between them', () => {
  const positions = positionsAt([0, 6.9], [10, 6.92])
  expect(driverPositionAt(positions, at(0))?.place.lat).toBe(6.9)
  expect(driverPositionAt(positions, at(5))?.place.lat).toBeCloseTo(6.91, 9)
  expect(driverPositionAt(positions, at(10))?.place.lat).toBe(6.92)
  expect(driverPositionAt(positions, at(5))).toMatchObject({ lastSeen: at(0) })
  expect(driverPositionAt(positions, at(5))?.trail).toHaveLength(2)
})

it('stays at the last position at the end and during a gap', () => {
  const positions = positionsAt([0, 6.9], [10, 6.92], [600, 6.95])
  expect(driverPositionAt(positions, at(300))).toMatchObject({ place: { lat: 6.92 }, lastSeen: at(10) })
  expect(driverPositionAt(positions, at(900))).toMatchObject({ place: { lat: 6.95 }, lastSeen: at(600) })
})

it('heads for the next position, and ignores unknown places', () => {
  expect(driverPositionAt(positionsAt([0, 6.9], [10, 6.92], [20, 6.94]), at(15))?.heading).toBeCloseTo(0)
  expect(positionsAt([0, 0], [1, 6.9])).toHaveLength(2)
  const writer = new Writer()
  writer.position(0, 0, 0)
  writer.write('position.updated', 1, { lat: 'x' })
  expect(positionsOf(readHistory(writer.views))).toEqual([])
})
