import { delivery, driver, list, order, orderList, platform, problem, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { SuggestedDriver } from '@/api/generated/types.gen'

import { OwnerOrdersPage } from './OwnerOrdersPage'

const server = platform()
let calls: { path: string; body: unknown }[] = []
const suggestedAt = '2026-11-26T12:00:00Z'

function suggested(over: Partial<SuggestedDriver> = {}): SuggestedDriver {
  return { driverId: 'd1', firstName: 'Sunil', vehicleType: 'Bike', minutes: 21, reason: { code: 'free', address: null, minutes: null }, ...over }
}

function suggestions(drivers: SuggestedDriver[]) {
  return http.post('*/api/v1/delivery/suggest/:id', ({ params }) => HttpResponse.json({ orderId: params.id, suggestedAt, drivers }))
}

async function record({ request }: { request: Request }) {
  calls.push({ path: new URL(request.url).pathname, body: await request.json() })
  return HttpResponse.json({ message: 'ok' })
}

beforeEach(() => {
  calls = []
  signIn({ role: 'restaurant' })
  server.use(
    list('restaurant', [restaurant()]),
    list('delivery', []),
    list('orders/print-jobs', []),
    list('driver', [driver()]),
    orderList([order()]),
    http.post('*/api/v1/delivery', () => HttpResponse.json({ message: 'ok' }, { status: 201 })),
    http.post('*/api/v1/notification', () => HttpResponse.json({ message: 'ok' }, { status: 201 })),
    http.post('*/api/v1/delivery/pick/:id', record),
    http.put('*/api/v1/orders/ticket/:id', record),
  )
})
afterEach(() => {
  notifications.clean()
})

async function dialog() {
  show(<OwnerOrdersPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Suggest a driver: ORD-AAAA1111' }))
  return await screen.findByRole('dialog')
}

const picked = (driverId: string, knowingly = false) => ({
  path: '/api/v1/delivery/pick/ORD-AAAA1111',
  body: { driverId, knowingly, suggestedAt },
})
const confirmed = (driverId: string, from = 'pending') => ({
  path: '/api/v1/orders/ticket/ORD-AAAA1111',
  body: { status: 'confirmed', from, driverId },
})

describe('suggested drivers', () => {
  it('shows the first one with the reason, and confirms with one touch', async () => {
    const busy = { code: 'brings_first', address: '4 Ward Place', minutes: 7 } as const
    server.use(suggestions([suggested(), suggested({ driverId: 'd2', firstName: 'Amal', minutes: 27, reason: busy })]))
    const shown = await dialog()
    const best = await within(shown).findByRole('region', { name: 'First at the door' })
    expect(within(best).getByText('At the door in 21 min')).toBeVisible()
    expect(within(best).getByText('Has nothing else to deliver.')).toBeVisible()
    const next = within(shown).getByRole('group', { name: 'The next ones' })
    expect(within(next).getByText('At the door in 27 min · Drops off at 4 Ward Place first, in 7 min.')).toBeVisible()
    const all = within(shown).getByRole('group', { name: 'All drivers, the nearest first' })
    expect(await within(all).findByText('Kasun Fernando')).toBeVisible()
    await userEvent.click(within(best).getByRole('button', { name: 'Give to Sunil' }))
    await waitFor(() => { expect(screen.queryByRole('dialog')).toBeNull() })
    await expect.poll(() => calls).toEqual([picked('d1'), confirmed('d1')])
  })

  it('asks before it picks a driver whom another restaurant has picked meanwhile', async () => {
    const taken = problem(409, 'Another restaurant picked this driver a moment ago.', { code: 'delivery.driver-taken' })
    server.use(suggestions([suggested()]), http.post('*/api/v1/delivery/pick/:id', () => taken, { once: true }))
    const shown = await dialog()
    await userEvent.click(await within(shown).findByRole('button', { name: 'Give to Sunil' }))
    expect(await within(shown).findByText(/^Another restaurant picked Sunil a moment ago/)).toBeVisible()
    expect(calls).toEqual([])
    await userEvent.click(within(shown).getByRole('button', { name: 'Give to Sunil anyway' }))
    await expect.poll(() => calls).toEqual([picked('d1', true), confirmed('d1')])
  })

  it('says so where no driver is found', async () => {
    server.use(suggestions([]))
    expect(await within(await dialog()).findByText('No driver can be suggested now.')).toBeVisible()
  })

  it('keeps the list of drivers where the suggestions fail', async () => {
    server.use(http.post('*/api/v1/delivery/suggest/:id', () => problem(429, 'Too many.')))
    const shown = await dialog()
    expect(await within(shown).findByRole('alert')).toBeVisible()
    await userEvent.click(await within(shown).findByRole('button', { name: 'Give to Kasun Fernando' }))
    const { path } = picked('d1')
    await expect.poll(() => calls).toEqual([{ path, body: { driverId: 'd1', knowingly: false } }, confirmed('d1')])
  })

  it('asks for another driver once the first declined', async () => {
    const declined = delivery({ orderId: 'ORD-AAAA1111', status: 'picked up', declined: true })
    const given = order({ status: 'confirmed', assignedDriver: 'd1', driverName: 'Kasun Fernando' })
    server.use(orderList([given]), list('delivery', [declined]), suggestions([suggested({ driverId: 'd2', firstName: 'Amal' })]))
    const shown = await dialog()
    expect(screen.getByText('Kasun Fernando declined')).toBeInTheDocument()
    expect(await screen.findByText('Next: Amal. At the door in 21 min.')).toBeInTheDocument()
    await userEvent.click(await within(shown).findByRole('button', { name: 'Give to Amal' }))
    await expect.poll(() => calls).toEqual([picked('d2'), confirmed('d2', 'confirmed')])
  })
})
