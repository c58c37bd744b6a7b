import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The quiet time after which a page counts as done, in milliseconds. */
const QUIET_TIME = 3_000

/** The requests that pages make without input in `time` milliseconds, once they have all they need. */
export async function requestsWhileIdle(pages: Page[], time: number): Promise<string[]> {
  let asked: string[] = []
  const within = async (milliseconds: number) => {
    asked = []
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return asked
  }
  for (const page of pages) {
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  }
  await expect.poll(() => within(QUIET_TIME)).toEqual([])
  return await within(time)
}
