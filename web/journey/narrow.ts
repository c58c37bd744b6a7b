import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Fails where the page itself can be scrolled sideways. */
export async function expectNoSideScroll(page: Page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(beyond, `pixels beyond the edge of ${page.url()}`).toBeLessThanOrEqual(0)
}
