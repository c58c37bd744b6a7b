import { describe, expect, it } from 'vitest'

import { followingAfter, staleAfter } from './HintListener'

function keysAfter(frame: Parameters<typeof staleAfter>[0]) {
  return staleAfter(frame).map((list) => list().queryKey[0])
}

function event(type: string, data: Record<string, unknown> = { deliveryId: 'd1' }) {
  return keysAfter({
    type: 'event',
    topic: 'me',
    event: { id: 'e1', type, subject: 's1', time: '2026-11-21T10:00:00Z', data },
  })
}

describe('what a frame on `me` makes stale', () => {
  it.each([
    ['tiffin.order.placed.v1', ['orders', 'deliveries']],
    ['tiffin.delivery.created.v1', ['deliveries', 'orders']],
    ['tiffin.delivery.eta_changed.v1', ['deliveries']],
    ['tiffin.driver.available.v1', ['drivers']],
    ['tiffin.restaurant.closed.v1', ['restaurants']],
    ['tiffin.review.approved.v1', ['reviews', 'items', 'restaurants']],
    ['tiffin.user.blocked.v1', ['users']],
    ['tiffin.inquiry.opened.v1', ['inquiries']],
    ['tiffin.payment.captured.v1', ['payments']],
    ['tiffin.payment.refunded.v1', ['payments']],
    ['tiffin.unheard.of.v1', []],
    ['rubbish', []],
  ])('%s', (type, keys) => {
    expect(event(type)).toEqual(keys)
  })

  it.each([
    ['tiffin.payment.captured.v1', ['orders']],
    ['tiffin.payment.refund_issued.v1', ['orders']],
    ['tiffin.order.placed.v1', []],
  ])('is later, where orders follow: %s', (type, keys) => {
    const frame = { type: 'event', topic: 'me', event: { id: 'e1', type, subject: 's1', time: '2026-11-21T10:00:00Z', data: {} } } as const
    expect(followingAfter(frame).map((list) => list().queryKey[0])).toEqual(keys)
  })

  it('is nothing for administrators when a range moves', () => {
    expect(event('tiffin.delivery.eta_changed.v1', {})).toEqual([])
    expect(event('tiffin.delivery.on_the_way.v1', {})).toEqual(['deliveries', 'orders'])
  })

  it('is the list of notifications after one came', () => {
    expect(keysAfter({ type: 'notification', notification: {} })).toEqual(['notifications'])
  })

  it.each([false, true])('is everything personal once it is watched (again: %s)', (again) => {
    expect(keysAfter({ type: 'watching', topic: 'me', again })).toEqual([
      'orders',
      'deliveries',
      'drivers',
      'notifications',
      'reviews',
      'users',
      'inquiries',
      'payments',
    ])
  })
})
