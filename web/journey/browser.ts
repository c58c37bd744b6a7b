import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import * as v from 'valibot'

/** The platform's address. */
export const URL_OF_PLATFORM = process.env.TIFFIN_URL ?? 'http://localhost:8080'

/** The password of every demo account. */
const PASSWORD = 'Tiffin@2026'

/** Chromium as Debian packages it, without its own talk to the network. */
export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export async function launch(): Promise<Browser> {
  return await chromium.launch(CHROMIUM)
}

/** A position as the customer's map drew it. */
export interface Painted {
  latitude: number
  longitude: number
  /** Milliseconds from the device's own timestamp to the frame that drew it. */
  latency: number
}

/** A person with a separate browser context. */
export class BrowserUser {
  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly errors: string[],
  ) {}

  /** Signs in through the login page; the page is not loaded again after that. */
  static async signIn(browser: Browser, email: string): Promise<BrowserUser> {
    const context = await browser.newContext({
      baseURL: URL_OF_PLATFORM,
      permissions: ['geolocation'],
      viewport: { width: 1280, height: 900 },
    })
    await context.addInitScript(recordPaints)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    return new BrowserUser(page, context, errors)
  }

  /** Goes to a page inside the app, without loading it again. */
  async goTo(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      window.history.pushState(null, '', to)
      window.dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  }

  async standAt(place: { latitude: number; longitude: number }): Promise<void> {
    await this.context.setGeolocation({ ...place, accuracy: 8 })
  }

  /** The number of loads of the document, sign-in included. */
  async loads(): Promise<number> {
    return await this.page.evaluate(() => Number(window.sessionStorage.getItem('journey:loads')))
  }

  /** Waits until a place is drawn. */
  async waitUntilPainted(place: { latitude: number; longitude: number }): Promise<void> {
    await this.page.waitForFunction(
      ({ latitude, longitude }) => {
        const seen: unknown = Reflect.get(window, 'journeyPaints')
        return (
          Array.isArray(seen) && seen.some((one) => one.latitude === latitude && one.longitude === longitude)
        )
      },
      place,
      { polling: 20 },
    )
  }

  /** Every position drawn so far, in order. */
  async painted(): Promise<Painted[]> {
    const seen: unknown = await this.page.evaluate(() => Reflect.get(window, 'journeyPaints'))
    return v.parse(v.array(v.object({ latitude: v.number(), longitude: v.number(), latency: v.number() })), seen)
  }

  /** The errors of the page's scripts. */
  thrown(): readonly string[] {
    return this.errors
  }
}

/** Runs in the page before its own scripts: counts loads and keeps what the map says it drew. */
function recordPaints() {
  if (window.top !== window) return
  const loads = Number(window.sessionStorage.getItem('journey:loads')) + 1
  window.sessionStorage.setItem('journey:loads', String(loads))
  const paints: { latitude: number; longitude: number; latency: number }[] = []
  Reflect.set(window, 'journeyPaints', paints)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name !== 'tiffin:position-painted' || !(entry instanceof PerformanceMark)) continue
      paints.push({
        latitude: entry.detail.lat,
        longitude: entry.detail.lng,
        latency: performance.timeOrigin + entry.startTime - Date.parse(entry.detail.at),
      })
    }
  }).observe({ type: 'mark', buffered: true })
}
