import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'

import { demo } from '../accounts'
import { test } from '../test'

import { each, newFleet, setOff } from './fleet'
import { countedFrames, countFrames } from './frames'

const DRIVERS = 500
/** The time of measuring, and of running in before it, in seconds. */
const MEASURED = 120
const WARM_UP = 15
/** Seconds between two looks at the heap. */
const LOOK = 15
/** Frames a second at least. */
const FRAMES = 30
/** The most by which the heap may have grown at the end, in bytes: a leak of positions would be ten times as much. */
const GROWTH = 1_000_000

test(`the administrators' map with ${String(DRIVERS)} drivers`, async ({ visit }) => {
  const couriers = await newFleet(DRIVERS)
  await each(couriers, async (courier) => { await courier.connect() })
  const stop = setOff(couriers)
  try {
    const page = await visit('/admin/', { as: demo.admin })
    const canvas = page.getByTestId('fleet')
    await canvas.waitFor()
    await canvas.scrollIntoViewIfNeeded()
    await page.waitForFunction((count) => Number(document.querySelector('canvas[data-drivers]')?.getAttribute('data-drivers')) >= count, DRIVERS)
    await page.waitForTimeout(WARM_UP * 1000)
    const session = await page.context().newCDPSession(page)
    const heap = [await heapOf(session)]
    const [sentBefore, drawnBefore] = [sent(), await positions(page)]
    await countFrames(page)
    for (let second = 0; second < MEASURED; second += LOOK) {
      await page.waitForTimeout(LOOK * 1000)
      heap.push(await heapOf(session))
    }
    const frames = await countedFrames(page)
    const [sentSince, drawnSince] = [sent() - sentBefore, (await positions(page)) - drawnBefore]
    const slowest = Math.min(...frames)
    const mean = frames.reduce((sum, one) => sum + one, 0) / frames.length
    const growth = (heap.at(-1) ?? 0) - (heap[0] ?? 0)
    process.stdout.write(
      `\n${String(DRIVERS)} drivers, one position a second each, ${String(frames.length)} s in headless Chromium\n` +
        `  positions   ${String(sentSince)} sent, ${String(drawnSince)} drawn\n` +
        `  frames/s    mean ${mean.toFixed(1)}, slowest second ${String(slowest)} (mean at least ${String(FRAMES)})\n` +
        `  heap MB     ${heap.map((bytes) => (bytes / 1e6).toFixed(2)).join(' ')}\n` +
        `  heap growth ${(growth / 1e6).toFixed(2)} MB (at most ${(GROWTH / 1e6).toFixed(0)})\n`,
    )
    expect(drawnSince, 'positions drawn').toBeGreaterThan(0.98 * sentSince)
    expect(mean, 'frames a second').toBeGreaterThanOrEqual(FRAMES)
    expect(growth, 'growth of the heap').toBeLessThan(GROWTH)
  } finally {
    stop()
    for (const courier of couriers) courier.close()
  }

  function sent(): number {
    return couriers.reduce((sum, courier) => sum + courier.sent, 0)
  }
})

/** The heap in use after a garbage collection. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

async function positions(page: Page): Promise<number> {
  return Number(await page.getByTestId('fleet').getAttribute('data-positions'))
}
