import { restaurant } from '@test/platform'
import { expect, it } from 'vitest'

import { openNearby } from './open-nearby'

const home = { restaurantId: 'r1', lat: 6.9, lng: 79.8 }
const at = (_id: string, lat: number | null, isOpen = true) => restaurant({ _id, lat, lng: lat === null ? null : 79.8, isOpen })

it('names the three nearest other restaurants that are open', () => {
  const all = [at('far', 7.2), at('r1', 6.9), at('closed', 6.9, false), at('near', 6.91), at('nowhere', null), at('next', 6.95)]
  expect(openNearby(all, home).map(({ _id }) => _id)).toEqual(['near', 'next', 'far'])
})

it('keeps the order of the list where the destination is not known', () => {
  const all = [at('far', 7.2), at('near', 6.91)]
  expect(openNearby(all, { restaurantId: 'r1', lat: 0, lng: 0 }).map(({ _id }) => _id)).toEqual(['far', 'near'])
})
