import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** How long a page that is done with what it had to ask says nothing, in milliseconds. */
const QUIET = 3_000

/** What pages ask the platform for by themselves in `time` milliseconds, once they have all they need. */
export async function askedWhileIdle(pages: Page[], time: number): Promise<string[]> {
  let asked: string[] = []
  const within = async (milliseconds: number) => {
    asked = []
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return asked
  }
  for (const page of pages) {
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  }
  await expect.poll(() => within(QUIET)).toEqual([])
  return await within(time)
}
