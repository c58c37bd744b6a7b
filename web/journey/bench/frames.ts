import type { Page } from 'playwright-core'

/** Counts the frames that a page draws, from now on. */
export async function countFrames(page: Page): Promise<void> {
  await page.evaluate(count)
}

/** The frames of each whole second since then. */
export async function countedFrames(page: Page): Promise<number[]> {
  return await page.evaluate(counted)
}

/** Runs in the page. */
function count() {
  const seconds: number[] = []
  Reflect.set(window, 'journeyFrames', seconds)
  const start = performance.now()
  const frame = (now: number) => {
    const second = Math.floor((now - start) / 1000)
    while (seconds.length <= second) seconds.push(0)
    seconds[second] = (seconds[second] ?? 0) + 1
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** Runs in the page. */
function counted(): number[] {
  const seconds: unknown = Reflect.get(window, 'journeyFrames')
  return Array.isArray(seconds) ? seconds.slice(0, -1).map(Number) : []
}
