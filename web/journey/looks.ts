import { mkdirSync } from 'node:fs'

import type { Page } from 'playwright-core'

/** Saves a page's screenshots at two widths, light and dark, if `TIFFIN_SHOTS` names a folder for them. */
export async function saveLooks(page: Page, name: string) {
  const folder = process.env.TIFFIN_SHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const [width, height] of [[1280, 800], [390, 844]] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
