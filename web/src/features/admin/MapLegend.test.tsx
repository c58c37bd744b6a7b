import { show } from '@test/render'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'

import { MapLegend } from './MapLegend'

it('names the colours of the markers, each another', () => {
  show(<MapLegend />)
  const statuses = within(screen.getByRole('list', { name: 'Colours of the map' })).getAllByRole('listitem')
  expect(statuses.map(({ textContent }) => textContent)).toEqual(['Assigned', 'On the way'])
  const colours = statuses.map((status) => status.querySelector('i')?.style.background)
  expect(new Set(colours).size).toBe(2)
  expect(colours).not.toContain('')
})
