import axe from 'axe-core'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

const findings = v.array(
  v.object({ id: v.string(), help: v.string(), nodes: v.array(v.object({ target: v.array(v.unknown()), failureSummary: v.optional(v.string()) })) }),
)

/** The rules that count: WCAG 2.2 up to AA, and good practice beyond it. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails with every finding of axe on the current page. */
export async function expectAccessible(page: Page) {
  // Moving parts are judged once they have arrived.
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().filter(isFinite).map(async (one) => await one.finished.catch(() => null)))
    function isFinite(animation: Animation) {
      return animation.effect?.getComputedTiming().endTime !== Infinity
    }
  })
  await page.evaluate(axe.source)
  const found = v.parse(
    findings,
    await page.evaluate(async (tags) => {
      const tool: unknown = Reflect.get(window, 'axe')
      if (typeof tool !== 'object' || tool === null) throw new Error('axe is not on the page')
      const run: unknown = Reflect.get(tool, 'run')
      if (typeof run !== 'function') throw new Error('axe can not run')
      const { violations } = await run(document, { runOnly: tags, resultTypes: ['violations'] })
      return violations
    }, RULES),
  )
  const summary = found.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`),
  }))
  expect(summary, `axe on ${page.url()}`).toEqual([])
}
