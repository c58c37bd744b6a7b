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
/** How often it looks at a page: one look depends on what else the machine does; the median counts. */
const RUNS = 5
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
    const runs: Awaited<ReturnType<typeof look>>[] = []
    while (runs.length < RUNS) runs.push(await look(at))
    const scores = Object.entries(LEAST).map(([category, least]) => {
      const all = runs.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100)).sort((a, b) => a - b)
      const median = all[Math.floor(RUNS / 2)] ?? 0
      if (median < least) short.push(`${name}: ${category} ${String(median)}, at least ${String(least)}`)
      return `${category} ${String(median)} (${all.join(', ')})`
    })
    process.stdout.write(`Lighthouse, ${name}: ${scores.join(', ')}\n`)
    // Below 1,000 the machine is slower, or busier, than Lighthouse's factors for a phone are made for.
    process.stdout.write(`  benchmark index ${runs.map(({ environment }) => String(environment.benchmarkIndex)).join(', ')}\n`)
    const findings = Object.values(runs.at(-1)?.audits ?? {}).filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
    )
    for (const { id, displayValue } of findings) process.stdout.write(`  ${id} ${displayValue ?? ''}\n`)
  }
  expect(short).toEqual([])
}, RUNS * 300_000)

/** A first visit: who is signed in and the cart are there, and no file is. */
async function look(at: string) {
  const [page = await browser.newPage()] = browser.pages()
  const session = await browser.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.send('Storage.clearDataForOrigin', { origin: URL_OF_PLATFORM, storageTypes: 'cache_storage,service_workers' })
  await session.detach()
  const result = await lighthouse(`${URL_OF_PLATFORM}${at}`, {
    port: PORT,
    disableStorageReset: true,
    onlyCategories: Object.keys(LEAST),
    logLevel: 'error',
  })
  if (result === undefined) throw new Error(`no result for ${at}`)
  return result.lhr
}
