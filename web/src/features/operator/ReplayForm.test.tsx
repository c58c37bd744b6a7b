import { platform } from '@test/platform'
import { show } from '@test/render'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

import type { ReplayRequest, Standing } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'

import { ReplayForm } from './ReplayForm'

const server = platform()
const STANDING: Standing = { streams: [], services: [], deadLetters: 0 }

/** A dry run that changes a name; it is masked unless it is asked for. */
function renamed({ reveal }: ReplayRequest) {
  const name = (is: string) => (reveal === true ? is : '•••')
  return {
    matched: 1,
    skipped: 0,
    failed: 0,
    rows: 1,
    failures: [],
    changes: [
      {
        table: 'people',
        before: { id: 'p1', first_name: name('Nimali'), role: 'customer' },
        after: { id: 'p1', first_name: name('Nimal'), role: 'customer' },
        changed: ['first_name'],
      },
    ],
  }
}

it('shows personal fields of a dry run to who says why', async () => {
  const asked: ReplayRequest[] = []
  server.use(
    http.post<never, ReplayRequest>('*/api/v1/operator/replays', async ({ request }) => {
      const body = await request.json()
      asked.push(body)
      return HttpResponse.json(renamed(body))
    }),
  )
  show(<ReplayForm overview={STANDING} stream="USERS" consumer="order_USERS" onDone={() => undefined} />, paths.operator.replays())
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'a look' } })
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }))
  const result = await screen.findByRole('region', { name: 'Dry run' })
  const row = await within(result).findByText('first_name')
  expect(row.closest('tr')).toHaveTextContent('first_name••••••')
  await userEvent.click(within(result).getByRole('button', { name: 'Show personal fields' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByLabelText(/^Reason/)).toHaveValue('a look')
  fireEvent.change(within(dialog).getByLabelText(/^Reason/), { target: { value: 'a complaint' } })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Show' }))
  expect(await within(result).findByText('Nimal')).toBeVisible()
  expect(within(result).queryByRole('button', { name: 'Show personal fields' })).toBeNull()
  expect(asked.map(({ reveal, reason, dryRun }) => [reveal ?? false, reason, dryRun])).toEqual([
    [false, 'a look', true],
    [true, 'a complaint', true],
  ])
})

it('runs dry without a reason, and asks for one before it replays', async () => {
  const asked: ReplayRequest[] = []
  server.use(
    http.post<never, ReplayRequest>('*/api/v1/operator/replays', async ({ request }) => {
      const body = await request.json()
      asked.push(body)
      return HttpResponse.json(renamed(body))
    }),
  )
  show(<ReplayForm overview={STANDING} stream="USERS" consumer="order_USERS" onDone={() => undefined} />, paths.operator.replays())
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }))
  const result = await screen.findByRole('region', { name: 'Dry run' })
  await userEvent.click(within(result).getByRole('button', { name: /^Replay/ }))
  expect(await screen.findByText('Enter a reason.')).toBeVisible()
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'a lost day' } })
  await userEvent.click(within(result).getByRole('button', { name: /^Replay/ }))
  await expect.poll(() => asked.map(({ reason, dryRun }) => [reason, dryRun ?? false])).toEqual([
    ['', true],
    ['a lost day', false],
  ])
})
