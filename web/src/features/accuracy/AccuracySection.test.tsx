import { platform, problem } from '@test/platform'
import { show } from '@test/render'
import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import type { AccuracyScore, DeliveryAccuracy } from '@/api/generated/types.gen'

import { AccuracySection } from './AccuracySection'

const server = platform()

function score(shown: number, held: number, early: number, over: Partial<AccuracyScore> = {}): AccuracyScore {
  return { shown, held, early, late: shown - held - early, minutesOff: 3.24, ...over }
}

function showScores(accuracy: DeliveryAccuracy) {
  server.use(
    http.get('*/api/v1/delivery/accuracy', ({ request }) =>
      new URL(request.url).searchParams.get('days') === '30' ? HttpResponse.json(accuracy) : problem(400, 'Thirty days.'),
    ),
  )
  show(<AccuracySection days={30} />)
}

async function rowsOf(table: string) {
  const rows = within(await screen.findByRole('table', { name: table })).getAllByRole('row')
  return rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent))
}

describe('the accuracy of arrival times', () => {
  it('is shown overall, by restaurant, hour and time left', async () => {
    showScores({
      all: score(40, 31, 3),
      byRestaurant: [
        score(36, 29, 3, { restaurantId: 'r1', restaurantName: 'Lotus Kitchen' }),
        score(4, 2, 0, { restaurantId: 'r2', restaurantName: 'Pepper House' }),
      ],
      byHour: [score(20, 16, 1, { hour: 6 }), score(20, 15, 2, { hour: 19 })],
      byLead: [score(40, 31, 3, { leadMinutes: 10 })],
    })
    expect(await rowsOf('Arrivals by restaurant')).toEqual([
      ['Lotus Kitchen', '81%', '8%', '11%', '36'],
      ['Pepper House', '2 of 4too few to judge', '0 of 4', '2 of 4', '4'],
    ])
    expect(await rowsOf('Arrivals by hour of the day')).toEqual([
      ['00:30–01:30', '75%', '10%', '15%', '20'],
      ['11:30–12:30', '80%', '5%', '15%', '20'],
    ])
    expect(await rowsOf('Arrivals by time left when shown')).toEqual([['10–20 min', '78%', '8%', '15%', '40']])
    const tile = screen.getByText('of 40 times shown').parentElement
    expect(tile).toHaveTextContent('Held78%of 40 times shown')
    expect(screen.getByText('3.2 min')).toBeVisible()
    expect(screen.queryByText(/^Too few to judge/)).toBeNull()
  })

  it('judges nothing by a few', async () => {
    showScores({ all: score(4, 4, 0), byRestaurant: [], byHour: [], byLead: [] })
    expect(await screen.findByText('Too few to judge: 4 times so far.')).toBeVisible()
    expect(screen.getByText('4 of 4')).toBeVisible()
    expect(screen.queryByText('100%')).toBeNull()
  })

  it('says that nothing was shown', async () => {
    showScores({ all: null, byRestaurant: [], byHour: [], byLead: [] })
    expect(await screen.findByText('No arrival times have been shown in these days.')).toBeVisible()
  })

  it('says what went wrong', async () => {
    server.use(http.get('*/api/v1/delivery/accuracy', () => problem(403, 'Not yours.')))
    show(<AccuracySection days={30} />)
    expect(await screen.findByText('Not yours.')).toBeVisible()
  })
})
