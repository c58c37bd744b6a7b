import { i18n } from '@lingui/core'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  i18n.activate('en')
  vi.resetModules()
})

describe('dates', () => {
  const moment = '2026-11-22T09:05:00'

  it.each([
    ['en', /^Nov 22, 9:05\sAM$/],
    ['ta', /^நவ\. 22, 9:05$/],
  ])('are in the words of the reader in %s', async (language, written) => {
    const { dateTimeText } = await import('./format')
    i18n.activate(language)
    expect(dateTimeText(moment)).toMatch(written)
  })

  it('are numbers where the browser does not have the words', async () => {
    vi.spyOn(Intl.DateTimeFormat, 'supportedLocalesOf').mockReturnValue([])
    const { clockText, dateText, dateTimeText } = await import('./format')
    i18n.activate('si')
    expect([dateText(moment), dateTimeText(moment), clockText(moment)]).toEqual(['2026-11-22', '2026-11-22 09:05', '09:05'])
  })
})

describe('sizes', () => {
  it.each([
    [0, '0 kB'],
    [1_234, '1.2 kB'],
    [999_999, '1,000 kB'],
    [1_234_567, '1.2 MB'],
  ])('of %d bytes are in a unit that fits', async (bytes, written) => {
    const { sizeText } = await import('./format')
    expect(sizeText(bytes)).toBe(written)
  })
})
