import type { Locator } from 'playwright-core'

/** Presses a button that leaves, and returns the name of the one that a second press would hit; null if none is there. */
export async function pressLeaving(button: Locator): Promise<string | null> {
  const box = await button.boundingBox()
  if (box === null) throw new Error('no button')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await button.click()
  await button.waitFor({ state: 'detached' })
  return await button.page().evaluate(
    (at) => document.elementFromPoint(at.x, at.y)?.closest('button')?.getAttribute('aria-label') ?? null,
    { x, y },
  )
}
