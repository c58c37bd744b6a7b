import { delivery } from '@test/platform'
import { show } from '@test/render'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { Delivery } from '@/api/generated/types.gen'
import { PositionSource } from '@/ui/map/position-source'

import { TrackingFacts } from './TrackingFacts'

/** So many minutes from now, in the middle of the minute. */
const minutesAhead = (minutes: number) => new Date(Date.now() + minutes * 60_000 - 30_000).toISOString()
const range = (from: number, to: number) => ({ earliestArrival: minutesAhead(from), latestArrival: minutesAhead(to) })

function facts(over: Partial<Delivery>, isRough = false) {
  show(<TrackingFacts delivery={delivery(over)} positionSource={new PositionSource()} isRough={isRough} readMetresLeft={() => 1240} />)
  return {
    arrival: screen.getByTestId('eta').textContent,
    left: screen.queryByTestId('time-left')?.textContent,
    announced: screen.getByTestId('tracking-announcement').textContent,
  }
}

describe('the facts of a delivery', () => {
  it('show the range of the server, and announce it', () => {
    const { arrival, left, announced } = facts(range(9, 17))
    expect(arrival).toMatch(/^\d+:\d\d.*\s–\s.*\d+:\d\d/)
    expect(left).toBe('in 8–17 min')
    expect(announced).toMatch(/^On the way\. Arriving between .*\d+:\d\d.* and .*\d+:\d\d.*\. Promised by /)
    expect(screen.getByText('Arriving')).toBeVisible()
    expect(screen.getByText('1.2 km to go')).toBeVisible()
  })

  it('say "about" where it is rough', () => {
    const { arrival, announced } = facts(range(9, 17), true)
    expect(arrival).toMatch(/^about /)
    expect(announced).toContain('between about')
  })

  it('say that it is late once the range is over', () => {
    const { arrival, left, announced } = facts(range(-9, -2))
    expect(arrival).toBe('Later than expected')
    expect(left).toMatch(/^expected until /)
    expect(announced).toContain('It is later than expected')
  })

  it('wait for the driver without a range', () => {
    const { arrival, left, announced } = facts({})
    expect([arrival, left]).toEqual(['Waiting for the driver', undefined])
    expect(announced).toMatch(/^On the way\. Promised by /)
  })

  it('show no range of a delivery that is over', () => {
    expect(facts({ ...range(9, 17), status: 'delivered' })).toMatchObject({ arrival: 'Delivered', left: undefined })
  })
})
