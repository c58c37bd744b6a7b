import { show } from '@test/render'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'

import { StatusSteps } from './StatusSteps'

it.each([
  ['picked up', 'Assigned'],
  ['on the way', 'On the way'],
  ['delivered', 'Delivered'],
] as const)('shows "%s" as the step %s', (status, label) => {
  show(<StatusSteps status={status} />)
  const steps = within(screen.getByRole('list', { name: 'Delivery status' })).getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual(['Assigned', 'On the way', 'Delivered'])
  expect(steps.filter((step) => step.getAttribute('aria-current') === 'step').map((step) => step.textContent)).toEqual([label])
})
