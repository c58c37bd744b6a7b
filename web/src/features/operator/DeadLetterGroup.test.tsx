import { platform } from '@test/platform'
import { show } from '@test/render'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

import type { DeadLetterCause, DeadLetterView } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'

import { DeadLettersPage } from './DeadLettersPage'

const server = platform()

function deadLetter(seq: number, reason: string): DeadLetterView {
  return {
    seq,
    consumer: 'delivery_ORDERS',
    reason,
    attempts: 6,
    time: '2026-11-23T09:00:00Z',
    stream: 'ORDERS',
    streamSeq: 100 - seq,
    subject: `tiffin.order.0193e4a1-0000-7000-8000-00000000000${seq}.confirmed`,
    waiting: 0,
    holdsUpDeletion: false,
    event: {},
  }
}

/** Answers with the causes of dead letters, and with their pages. */
function listing(deadLetters: () => DeadLetterView[]) {
  return [
    http.get('*/api/v1/operator/dead/causes', () => {
      const causes = [...new Set(deadLetters().map(({ reason }) => reason))].map((cause): DeadLetterCause => {
        const count = deadLetters().filter(({ reason }) => reason === cause).length
        const time = '2026-11-23T09:00:00Z'
        return { id: cause, cause, count, consumers: ['delivery_ORDERS'], oldest: time, newest: time, waiting: 0, deletions: 0 }
      })
      return HttpResponse.json(causes)
    }),
    http.get('*/api/v1/operator/dead', ({ request }) => {
      const search = new URL(request.url).searchParams
      const [from, limit] = [Number(search.get('cursor') ?? 0), Number(search.get('limit'))]
      const rows = deadLetters().filter(({ reason }) => reason === search.get('cause'))
      const next = from + limit
      const link = `</api/v1/operator/dead?cursor=${String(next)}>; rel="next"`
      return HttpResponse.json(rows.slice(from, next), { headers: next < rows.length ? { link } : {} })
    }),
  ]
}

it('retries everything of one cause with one reason, the earliest event first, and leaves the others', async () => {
  let deadLetters = [deadLetter(1, 'column "x" is missing'), deadLetter(2, 'column "x" is missing'), deadLetter(3, 'malformed')]
  const retried: { seq: number; reason: string }[] = []
  server.use(
    ...listing(() => deadLetters),
    http.get('*/api/v1/operator/streams', () => HttpResponse.json({ streams: [], services: [], deadLetters: 3 })),
    http.post<{ seq: string }, { reason: string }>('*/api/v1/operator/dead/:seq/retry', async ({ params, request }) => {
      const { reason } = await request.json()
      retried.push({ seq: Number(params.seq), reason })
      deadLetters = deadLetters.filter(({ seq }) => seq !== Number(params.seq))
      return HttpResponse.json({ message: 'It took effect.' })
    }),
  )
  show(<DeadLettersPage />, paths.operator.deadLetters())
  const group = await screen.findByRole('region', { name: 'column "x" is missing' })
  expect(within(screen.getByRole('region', { name: 'malformed' })).queryByRole('button', { name: /^Retry all/ })).toBeNull()
  await userEvent.click(within(group).getByRole('button', { name: 'Retry all 2' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'the column is there')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }))
  await screen.findByText(/2 dead letters/)
  const reason = 'the column is there'
  expect(retried).toEqual([
    { seq: 2, reason },
    { seq: 1, reason },
  ])
  await screen.findByRole('region', { name: 'malformed' })
  expect(screen.queryByRole('region', { name: 'column "x" is missing' })).toBeNull()
})

it('pages the letters of a cause, folds them, and takes a reason by Ctrl and Enter', async () => {
  const many = Array.from({ length: 22 }, (_, at) => deadLetter(at + 1, 'malformed'))
  const discarded: string[] = []
  server.use(
    ...listing(() => many),
    http.get('*/api/v1/operator/streams', () => HttpResponse.json({ streams: [], services: [], deadLetters: 22 })),
    http.delete('*/api/v1/operator/dead/:seq', ({ params, request }) => {
      discarded.push(`${String(params.seq)} ${new URL(request.url).searchParams.get('reason') ?? ''}`)
      return HttpResponse.json({ message: 'It is discarded.' })
    }),
  )
  show(<DeadLettersPage />, paths.operator.deadLetters())
  const group = within(await screen.findByRole('region', { name: 'malformed' }))
  expect(await group.findAllByRole('listitem')).toHaveLength(20)
  await userEvent.click(group.getByRole('button', { name: 'Show more (2 left)' }))
  await group.findByRole('button', { name: /^Discard ORDERS\/78$/ })
  expect(group.getAllByRole('listitem')).toHaveLength(22)
  await userEvent.click(group.getByRole('button', { name: 'Hide' }))
  expect(group.queryByRole('listitem')).toBeNull()
  await userEvent.click(group.getByRole('button', { name: 'Show 22' }))
  await userEvent.click(await group.findByRole('button', { name: /^Discard ORDERS\/99$/ }))
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'a test{Control>}{Enter}{/Control}')
  await screen.findByText('1 dead letter is discarded.')
  expect(discarded).toEqual(['1 a test'])
}, 60_000)
