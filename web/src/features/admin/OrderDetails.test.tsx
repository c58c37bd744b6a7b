import { order } from '@test/platform'
import { show } from '@test/render'
import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { OrderDescription } from './OrderDetails'

it('has the note to the kitchen where there is one', async () => {
  show(<OrderDescription order={order({ note: 'Allergic to peanuts.' })} />)
  const label = await screen.findByText('Note to the kitchen')
  expect(label.nextElementSibling).toHaveTextContent('Allergic to peanuts.')
  cleanup()
  show(<OrderDescription order={order({ note: null })} />)
  await screen.findByText('Address')
  expect(screen.queryByText('Note to the kitchen')).toBeNull()
})
