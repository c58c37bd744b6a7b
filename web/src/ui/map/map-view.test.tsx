import { MantineProvider } from '@mantine/core'
import { createLeafletContext, LeafletContext } from '@react-leaflet/core'
import { render } from '@testing-library/react'
import { Map as LeafletMap } from 'leaflet'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { FitBounds } from './FitBounds'
import { GoTo } from './GoTo'

const harbour = { lat: 6.93, lng: 79.85 }
const dehiwala = { lat: 6.85, lng: 79.87 }
const far = { lat: 6.7, lng: 80.1 }

let map: LeafletMap

beforeEach(() => {
  const element = document.body.appendChild(document.createElement('div'))
  Object.defineProperties(element, { clientWidth: { value: 800 }, clientHeight: { value: 600 } })
  map = new LeafletMap(element, { zoomAnimation: false, fadeAnimation: false }).setView(harbour, 13)
})
afterEach(() => {
  map.remove()
})

/** Draws on the map; the answer draws something else. */
function draw(children: ReactNode) {
  const page = (inside: ReactNode) => (
    <MantineProvider env="test">
      <LeafletContext value={createLeafletContext(map)}>{inside}</LeafletContext>
    </MantineProvider>
  )
  const { rerender } = render(page(children))
  return (next: ReactNode) => {
    rerender(page(next))
  }
}

const shows = (place: typeof far) => map.getBounds().contains(place)

it('fits its places, and again where that is asked for', () => {
  const next = draw(<FitBounds key={1} places={[harbour, far]} />)
  expect([shows(harbour), shows(far)]).toEqual([true, true])
  map.setView(harbour, 16, { animate: false })
  expect(shows(far)).toBe(false)
  next(<FitBounds key={2} places={[harbour, far]} />)
  expect([shows(harbour), shows(far)]).toEqual([true, true])
})

it('goes to a place once for each request', async () => {
  const next = draw(<GoTo place={far} request={1} />)
  expect([map.getZoom(), shows(far)]).toEqual([15, true])
  // The driver moves on; the map stays with its reader.
  next(<GoTo place={dehiwala} request={1} />)
  expect([shows(far), shows(dehiwala)]).toEqual([true, false])
  next(<GoTo place={dehiwala} request={2} />)
  await expect.poll(() => [shows(far), shows(dehiwala)]).toEqual([false, true])
})
