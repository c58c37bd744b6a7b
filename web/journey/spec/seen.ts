import type { Locator, Page } from 'playwright-core'
import { TestRunner } from 'vitest'

import { backOffice } from './back-office'
import { customer } from './customer'
import { rowName } from './row'

const screens = { ...customer, ...backOffice }
type Screens = typeof screens
type RowsOf<S> = { [K in keyof S]?: 'all' | readonly (S[K] extends readonly (infer Row)[] ? Row : never)[] }

declare module 'vitest' {
  interface TaskMeta {
    /** The rows of the specification that this test saw on a page. */
    seen?: string[]
  }
}

/**
 * Waits until rows of the specification are visible on a page, or in a part of it, and records that the
 * running test saw them: `seen(page, 'cart', { text: ['Your cart is empty.'] })`. `'all'` takes every
 * row of a kind. A test that fails has seen nothing.
 */
export async function seen<S extends keyof Screens>(where: Page | Locator, screen: S, rows: RowsOf<Screens[S]>) {
  for (const [kind, asked] of Object.entries(rows)) {
    const listed = rowsOf(screen, kind)
    for (const row of asked === 'all' ? listed : listed.filter((one) => includes(asked, one))) {
      await visible(where, kind, row)
      record(rowName(screen, kind, row))
    }
  }
}

function rowsOf(screen: keyof Screens, kind: string): readonly string[] {
  const kinds: Record<string, readonly string[]> = screens[screen]
  return kinds[kind] ?? []
}

function includes(asked: unknown, row: string): boolean {
  return Array.isArray(asked) && asked.includes(row)
}

function record(row: string) {
  const meta = TestRunner.getCurrentTest()?.meta
  if (meta === undefined) throw new Error('only a running test sees')
  meta.seen = [...new Set([...(meta.seen ?? []), row])]
}

async function visible(where: Page | Locator, kind: string, row: string) {
  const page = pageOf(where)
  if (kind === 'route') return await arrived(page, row)
  await find(where, kind, row)
    .filter({ visible: true })
    .first()
    .waitFor()
    .catch((cause: unknown) => {
      throw new Error(`${kind} “${row}” is not to be seen on ${page.url()}`, { cause })
    })
}

function pageOf(where: Page | Locator): Page {
  return 'page' in where ? where.page() : where
}

function find(where: Page | Locator, kind: string, row: string): Locator {
  const called = { name: pattern(row) }
  switch (kind) {
    case 'column':
      return where.getByRole('columnheader', called)
    // Its text or its accessible name: `Approve` may be called `Approve ORD-1`.
    case 'button':
      return where.getByRole('button', called).or(where.locator('button, a').filter({ hasText: pattern(row) }))
    case 'link':
      return row.startsWith('/')
        ? where.locator(`a[href="${row}"], a[href^="${row}?"]`)
        : where.getByRole('link', { name: new RegExp(`^${escaped(row)}(,|$)`) })
    case 'field':
      return where.getByLabel(new RegExp(`^${escaped(row)}( \\*)?$`))
    // An option of a native list is as visible as the list.
    case 'option':
      return where.locator('select').filter({ has: pageOf(where).locator('option', { hasText: pattern(row) }) })
    case 'image':
      return where.getByLabel(pattern(row)).or(where.getByAltText(pattern(row))).or(where.getByTitle(pattern(row)))
    default:
      return where.getByText(pattern(row))
  }
}

/** A route has been reached when the browser is at its address and its page has a heading; a redirect is followed. */
async function arrived(page: Page, row: string) {
  const [from = row, to] = row.split(' -> ')
  if (to !== undefined) await page.goto(from.replace('*', 'booking'))
  await page.waitForURL(({ pathname }) => pattern(to ?? row).test(pathname))
  await page.locator('h1').filter({ visible: true }).first().waitFor()
}

/** `{…}` and `*` stand for anything. */
function pattern(row: string): RegExp {
  return new RegExp(`^\\s*${row.split(/\{[^}]*\}|\*/).map(escaped).join('.+')}\\s*$`)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
