import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { expect, test as base } from 'vitest'

import { launch, URL_OF_PLATFORM } from './browser'
import { type Credentials, signIn } from './accounts'

interface Visit extends BrowserContextOptions {
  /** The account that is signed in; none when left out. */
  as?: Credentials
  width?: number
  language?: 'en' | 'si' | 'ta'
}

interface Fixtures {
  browser: Browser
  /** Opens a page at a path in a separate browser context. */
  visit: (path: string, options?: Visit) => Promise<Page>
}

/**
 * A test in a browser. When it ends, its pages are closed, and it fails if one of them threw, or asked
 * for something that the Content-Security-Policy forbids.
 */
export const test = base.extend<Fixtures>({
  browser: [
    async ({}, provide) => {
      const browser = await launch()
      await provide(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  visit: async ({ browser }, provide) => {
    const faults: string[] = []
    const contexts: BrowserContext[] = []
    await provide(async (path, { as, width = 1280, language = 'en', ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: URL_OF_PLATFORM,
        viewport: { width, height: 900 },
        // A service worker's own calls are out of a test's reach.
        serviceWorkers: 'block',
        ...options,
      })
      contexts.push(context)
      await context.exposeFunction('journeyFault', (fault: string) => faults.push(fault))
      await context.addInitScript(watchPolicy)
      const page = await context.newPage()
      page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
      // Local storage is had on any page of the origin; this one has no scripts.
      await page.goto('/config.json')
      await page.evaluate((chosen) => { localStorage.setItem('language', chosen) }, language)
      if (as !== undefined) await signIn(page, as)
      await page.goto(path)
      return page
    })
    // A route may still be handling a call of a page that is about to close.
    const pages = contexts.flatMap((context) => context.pages())
    await Promise.all(pages.map(async (page) => { await page.unrouteAll({ behavior: 'ignoreErrors' }) }))
    await Promise.all(contexts.map(async (context) => { await context.close() }))
    expect(faults, 'what pages threw, or were forbidden').toEqual([])
  },
})

/** Runs in the page: reports what the policy forbade. */
function watchPolicy() {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    const report: unknown = Reflect.get(window, 'journeyFault')
    if (typeof report === 'function') report(`${location.href}: ${violatedDirective} forbids ${blockedURI}`)
  })
}

/** The refusal of a service, for `refuse`. */
export interface Refusal {
  status: number
  /** The service's own words; without them the page needs its own. */
  message?: string
}

/**
 * The next call of a page to a path (`**` and `*` as in a glob) is answered with a refusal, or lost where
 * none is given. Later ones go through, unless `always`: a list is asked for again whenever an event says that it
 * may have changed, so a refusal of one has to last. What is returned ends it.
 */
export async function refuseCall(page: Page, method: string, path: string, refusal?: Refusal, always = false) {
  let left = always ? Number.POSITIVE_INFINITY : 1
  await page.route(`${URL_OF_PLATFORM}${path}`, async (route) => {
    if (route.request().method() !== method || left < 1) return await route.fallback()
    left -= 1
    if (refusal === undefined) return await route.abort('connectionfailed')
    const { status, message } = refusal
    const body = message === undefined ? '' : JSON.stringify({ title: message, status, detail: message, message, error: message })
    return await route.fulfill({ status, contentType: 'application/problem+json', body })
  })
  return () => {
    left = 0
  }
}

/** Keeps back every script that a page asks for from here on, until `release` is called. */
export async function holdScripts(page: Page) {
  return await hold(page, '**/*.js')
}

/** The same for calls of a path (`**` and `*` as in a glob). */
export async function holdCalls(page: Page, path: string) {
  return await hold(page, `${URL_OF_PLATFORM}${path}`)
}

async function hold(page: Page, url: string) {
  let held = 0
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => { release = resolve })
  await page.route(url, async (route) => {
    held += 1
    await released
    await route.fallback()
  })
  return { held: () => held, release }
}
