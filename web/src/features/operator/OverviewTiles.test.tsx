import { show } from '@test/render'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import type { ConsumerView, Standing } from '@/api/generated/types.gen'

import { OverviewTiles } from './OverviewTiles'

function standing(consumer: Partial<ConsumerView>): Standing {
  const quiet = { name: 'order_DRIVERS', pending: 0, inFlight: 0, redelivered: 0, lagSeconds: 0, blocked: 0, parked: 0, tables: [], takesReplays: true }
  const stream = {
    ...{ name: 'DRIVERS', subjects: [], messages: 0, bytes: 0, maxBytes: 1, firstSeq: 0, lastSeq: 0 },
    consumers: [{ ...quiet, ...consumer }],
  }
  return { streams: [stream], services: [], deadLetters: 0 }
}

const lag = () => screen.getByText('Lag').closest('div')

it('does not call a blocked consumer up to date, however short its lag', () => {
  show(<OverviewTiles overview={standing({ blocked: 7 })} samples={[]} />)
  expect(lag()).toHaveTextContent('7 blocked aggregates')
  expect(lag()).toHaveAttribute('data-alarm')
})

it('is quiet while nothing is behind', () => {
  show(<OverviewTiles overview={standing({})} samples={[]} />)
  expect(lag()).toHaveTextContent('no messages behind')
  expect(lag()).not.toHaveAttribute('data-alarm')
})
