import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Fails where the page itself can be scrolled sideways. */
export async function expectNoHorizontalScroll(page: Page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(beyond, `pixels beyond the edge of ${page.url()}`).toBeLessThanOrEqual(0)
}

/** Fails where a button or a badge has no room for its words. */
export async function expectLabelsFit(page: Page) {
  const cut = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('.mantine-Button-label, .mantine-Badge-label')]
    return labels.filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)
  })
  expect(cut, `words that are cut off on ${page.url()}`).toEqual([])
}

/** Fails where a toast reaches out of the header, over what is below. */
export async function expectToastInHeader(page: Page, words: string) {
  const toast = page.locator('.mantine-Notification-root').filter({ hasText: words }).first()
  const below = await toast.evaluate((element) => {
    const header = document.querySelector('header')
    return element.getBoundingClientRect().bottom - (header?.getBoundingClientRect().bottom ?? 0)
  })
  expect(below, `pixels of "${words}" below the header`).toBeLessThanOrEqual(0)
}

/** The distance of a page's heading from the left edge. */
export async function headingLeft(page: Page): Promise<number> {
  return await page.locator('h1').evaluate((heading) => Math.round(heading.getBoundingClientRect().left))
}
