import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import lighthouse from 'lighthouse'
import { chromium, type BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { URL_OF_PLATFORM } from './browser'
import { confirm, newKitchen, newOrders } from './kitchen'
import { newPerson, signIn } from './people'

/** The least of a hundred that a page may reach. */
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 95 }
const PORT = 9333

const folder = mkdtempSync(path.join(tmpdir(), 'tiffin-lighthouse-'))
let browser: BrowserContext
const pages: [name: string, path: string][] = []

beforeAll(async () => {
  const { owner, item } = await newKitchen()
  const [customer, driver] = [await newPerson(), await newPerson('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  const delivery = await confirm(owner, order.orderId, driver)
  pages.push(['home', '/'], ['items', '/item'], ['product', `/product/${item._id}`], ['cart', '/cart'])
  pages.push(['tracking', `/track/${delivery._id}`])

  browser = await chromium.launchPersistentContext(folder, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${String(PORT)}`],
    baseURL: URL_OF_PLATFORM,
  })
  const page = await browser.newPage()
  await page.goto('/config.json')
  await signIn(page, customer)
  const cart = JSON.stringify({ orderItem: [{ key: item._id, qty: 2 }] })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cart)
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

test('Lighthouse is content with the pages that matter most, on a phone', async () => {
  const short: string[] = []
  for (const [name, at] of pages) {
    const result = await lighthouse(`${URL_OF_PLATFORM}${at}`, {
      port: PORT,
      // Who is signed in, and the cart, lie there.
      disableStorageReset: true,
      onlyCategories: Object.keys(LEAST),
      logLevel: 'error',
    })
    if (result === undefined) throw new Error(`no result for ${name}`)
    const scores = Object.entries(LEAST).map(([category, least]) => {
      const score = Math.round((result.lhr.categories[category]?.score ?? 0) * 100)
      if (score < least) short.push(`${name}: ${category} ${String(score)}, at least ${String(least)}`)
      return `${category} ${String(score)}`
    })
    process.stdout.write(`Lighthouse, ${name}: ${scores.join(', ')}\n`)
    const findings = Object.values(result.lhr.audits).filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
    )
    for (const { id, displayValue } of findings) process.stdout.write(`  ${id} ${displayValue ?? ''}\n`)
  }
  expect(short).toEqual([])
})
