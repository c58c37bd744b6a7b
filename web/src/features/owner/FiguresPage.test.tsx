import { list, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { Figures, ItemFigures } from '@/api/generated/types.gen'

import { FiguresPage } from './FiguresPage'

const saved = vi.hoisted(() => vi.fn<(name: string, content: Blob) => void>())
vi.mock('@/lib/download-file', () => ({ downloadFile: saved }))

const server = platform()

const dish = (name: string, quantity: number, revenue: number): ItemFigures => ({
  ...{ itemId: name, name, image: null, orders: quantity, quantity, revenue, unpaid: 0 },
})

function figures(over: Partial<Figures> = {}): Figures {
  const wait = { orders: 3, mean: 240, median: 240 }
  return {
    from: '2026-11-25',
    to: '2026-11-27',
    orders: 5064,
    revenue: 1500,
    unpaid: 250,
    cancelled: 1,
    toConfirm: wait,
    toDeliver: wait,
    days: [
      { date: '2026-11-25', orders: 2, revenue: 700, unpaid: 0 },
      { date: '2026-11-26', orders: 0, revenue: 0, unpaid: 0 },
      { date: '2026-11-27', orders: 5062, revenue: 800, unpaid: 250 },
    ],
    hours: Array.from({ length: 24 }, (_, hour) => ({ hour, orders: hour === 12 ? 5064 : 0, revenue: hour === 12 ? 1500 : 0, unpaid: 0 })),
    bestItems: [dish('Kottu', 9, 100), dish('Hoppers', 4, 600)],
    ...over,
  }
}

beforeEach(() => {
  signIn({ role: 'restaurant' })
  server.use(
    list('restaurant', []),
    http.get('*/api/v1/orders/figures', ({ request }) => {
      const isPrevious = new URL(request.url).searchParams.has('to')
      return HttpResponse.json(isPrevious ? figures({ orders: 4500, revenue: 0, cancelled: 2 }) : figures())
    }),
  )
})

const open = async () => {
  show(<FiguresPage accuracy={() => null} />, '/restaurantC/figures')
  return screen.findByRole('table', { name: 'By day' })
}

describe("the owner's figures", () => {
  it('list the days with orders, the newest first', async () => {
    const rows = within(await open()).getAllByRole('row').slice(1)
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/27.*5,062Rs\. 800\.00Rs\. 250\.00$/),
      expect.stringMatching(/25.*2Rs\. 700\.00Rs\. 0\.00$/),
    ])
  })

  it('say that a time has no orders', async () => {
    server.use(http.get('*/api/v1/orders/figures', () => HttpResponse.json(figures({ days: [{ date: '2026-11-27', orders: 0, revenue: 0, unpaid: 0 }] }))))
    show(<FiguresPage accuracy={() => null} />, '/restaurantC/figures')
    const days = await screen.findByRole('region', { name: 'By day' })
    expect(within(days).getByText('No orders in this time.')).toBeVisible()
    expect(within(days).queryByRole('listbox')).toBeNull()
  })

  it('separate thousands, and compare with as many days before', async () => {
    await open()
    const tile = (label: string) => screen.getByText(label, { selector: 'dt' }).parentElement
    expect(tile('Orders')).toHaveTextContent(/5,064/)
    expect(await screen.findByText('Previous 30 days: 4,500 (+13%)')).toBeVisible()
    expect(tile('Revenue')).toHaveTextContent('Previous 30 days: Rs. 0.00')
    expect(tile('Cancelled')).toHaveTextContent('Previous 30 days: 2 (-50%)')
    expect(tile('Time to confirm')).toHaveTextContent('Previous 30 days: 4 min (0%)')
  })

  it('ask for the days before without a gap and without a common day', async () => {
    const asked: (string | null)[][] = []
    server.use(
      http.get('*/api/v1/orders/figures', ({ request }) => {
        const { searchParams } = new URL(request.url)
        asked.push([searchParams.get('from'), searchParams.get('to')])
        return HttpResponse.json(figures())
      }),
    )
    await open()
    const [from] = asked.find(([, to]) => to === null) ?? []
    const [before, until] = asked.find(([, to]) => to !== null) ?? []
    const days = (one: string | null | undefined, other: string | null | undefined) => (Date.parse(other ?? '') - Date.parse(one ?? '')) / 86_400_000
    expect(days(until, from)).toBe(1)
    expect(days(before, from)).toBe(30)
  })

  it('name as many bars as have room', async () => {
    await open()
    const hours = screen.getByRole('region', { name: 'By hour of the day' })
    const named = [...hours.querySelectorAll('figure [aria-hidden] span')].map(({ textContent }) => textContent).filter((text) => /^\d\d:00$/.test(text))
    expect(named).toEqual(['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'])
  })

  it('show the ten best dishes by portions or by revenue', async () => {
    const most = Array.from({ length: 10 }, (_, nth) => dish(`Hoppers ${String(nth)}`, 20 - nth, 10))
    server.use(http.get('*/api/v1/orders/figures', () => HttpResponse.json(figures({ bestItems: [...most, dish('Crab curry', 1, 900)] }))))
    await open()
    const dishes = screen.getByRole('region', { name: 'Top dishes' })
    const bars = () => within(dishes).getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(bars()).toHaveLength(10)
    expect(bars()[0]).toBe('Crab curryRs. 900.00')
    await userEvent.click(screen.getByRole('radio', { name: 'Orders' }))
    expect(bars()).toHaveLength(10)
    expect(bars()).not.toContain('Crab curry1')
    expect(within(dishes).getByRole('columnheader', { name: 'Portions' })).toBeInTheDocument()
  })

  it('rank dishes by what the bars show', async () => {
    await open()
    const dishes = screen.getByRole('region', { name: 'Top dishes' })
    const bars = () => within(dishes).getAllByRole('listitem').map(({ textContent }) => textContent)
    const names = () => within(dishes).getAllByRole('row').slice(1).map((row) => row.querySelector('td')?.textContent)
    expect(bars()).toEqual(['HoppersRs. 600.00', 'KottuRs. 100.00'])
    expect(names()).toEqual(['Hoppers', 'Kottu'])
    await userEvent.click(screen.getByRole('radio', { name: 'Orders' }))
    expect(bars()).toEqual(['Kottu9', 'Hoppers4'])
    expect(names()).toEqual(['Kottu', 'Hoppers'])
  })

  it('name each bar for pointer, keyboard and screen reader, over named axes', async () => {
    await open()
    const days = screen.getByRole('region', { name: 'By day' })
    const bars = within(days).getAllByRole('option')
    expect(bars.map((bar) => bar.getAttribute('aria-label'))).toEqual([
      expect.stringMatching(/25.*2026: Rs\. 700\.00$/),
      expect.stringMatching(/26.*2026: Rs\. 0\.00$/),
      expect.stringMatching(/27.*2026: Rs\. 800\.00$/),
    ])
    for (const amount of ['Rs. 0', 'Rs. 200', 'Rs. 400', 'Rs. 600', 'Rs. 800']) expect(within(days).getByText(amount)).toBeVisible()
    for (const day of ['Nov 25', 'Nov 26', 'Nov 27']) expect(within(days).getByText(day)).toBeVisible()

    const caption = () => days.querySelector('figcaption')?.textContent
    expect(caption()).toMatch(/27.*Rs\. 800\.00$/)
    fireEvent.pointerEnter(bars[1] ?? days)
    expect(caption()).toMatch(/26.*Rs\. 0\.00$/)
    fireEvent.pointerLeave(bars[1] ?? days)
    expect(caption()).toMatch(/27.*Rs\. 800\.00$/)

    const chart = within(days).getByRole('listbox', { name: 'Revenue' })
    chart.focus()
    await userEvent.keyboard('{Home}')
    expect(bars[0]).toHaveAttribute('aria-selected', 'true')
    expect(chart).toHaveAttribute('aria-activedescendant', bars[0]?.id)
    await userEvent.keyboard('{ArrowRight}')
    expect(caption()).toMatch(/26.*Rs\. 0\.00$/)
    await userEvent.keyboard('{End}{ArrowRight}')
    expect(caption()).toMatch(/27.*Rs\. 800\.00$/)
  })

  it('are exported, quiet days too', async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV: By day' }))
    await vi.waitFor(() => {
      expect(saved).toHaveBeenCalled()
    })
    const [name, content] = saved.mock.lastCall ?? []
    expect(name).toBe('days-2026-11-25-2026-11-27.csv')
    const [head, ...rows] = ((await content?.text()) ?? '').split('\r\n')
    expect(head).toMatch(/Day,Orders,Revenue,Unpaid$/)
    expect(rows).toEqual(['2026-11-25,2,700,0', '2026-11-26,0,0,0', '2026-11-27,5062,800,250'])
  })

  it('say what revenue is', async () => {
    await open()
    expect(screen.getByText(/^Revenue is what customers paid, less refunds\. Unpaid is what is still due/)).toBeVisible()
  })
})
