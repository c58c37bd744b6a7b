import { delivery, driver, list, platform, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { DriverFigures, OrderFigures, QueueFigures } from './Figures'

const server = platform()

beforeEach(() => {
  signIn({ role: 'admin' })
  const counts = { pending: 18_374, confirmed: 3, preparing: 0, dispatched: 0, delivered: 1_000_000, cancelled: 0, unapproved: 5064 }
  server.use(
    http.get('*/api/v1/orders/counts', () => HttpResponse.json(counts)),
    list('restaurant', [restaurant({ verified: false })]),
    list('collection', []),
    list('reviews', []),
    list('inquiry', []),
  )
})

const figure = (label: string) => document.querySelector(`[data-figure="${label}"] dd`)?.textContent

describe("the dashboard's figures", () => {
  it('separate thousands', async () => {
    show(
      <>
        <OrderFigures />
        <QueueFigures />
      </>,
      '/admin/',
    )
    await expect.poll(() => figure('Orders to approve')).toBe('5,064')
    expect(figure('Pending')).toBe('18,374')
    expect(figure('Delivered')).toBe('1,000,000')
    expect(figure('Confirmed')).toBe('3')
  })

  it('lead to what they count', async () => {
    const router = show(<QueueFigures />, '/admin/')
    await userEvent.click(await screen.findByRole('link', { name: 'Orders to approve' }))
    expect(router.state.location.pathname + router.state.location.search).toBe('/admin/booking?isApprove=false')
  })

  it('leave drivers with a delivery out of those that are free', async () => {
    const drivers = ['d1', 'd2', 'd3'].map((id) => driver({ _id: id, id, isAvailable: id !== 'd3' }))
    server.use(list('delivery', [delivery(), delivery({ _id: 'v2' })]), list('driver', drivers))
    show(<DriverFigures />, '/admin/')
    await expect.poll(() => figure('Drivers free')).toBe('1 of 3')
    expect(figure('Drivers delivering')).toBe('1')
    expect(figure('Active deliveries')).toBe('2')
  })
})
