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

describe('a range of clock times', () => {
  it.each([
    ['en', '2026-11-22T12:23:00', '2026-11-22T12:31:00', /^12:23\s–\s12:31\sPM$/],
    ['en', '2026-11-22T11:55:00', '2026-11-22T12:05:00', /^11:55\sAM\s–\s12:05\sPM$/],
    ['en', '2026-11-22T23:55:00', '2026-11-23T00:05:00', /^11:55\sPM – 12:05\sAM$/],
    ['ta', '2026-11-22T12:23:00', '2026-11-22T12:31:00', /^12:23\s–\s12:31$/],
  ])('in %s names no day', async (language, from, to, written) => {
    const { clockRangeText } = await import('./format')
    i18n.activate(language)
    expect(clockRangeText(from, to)).toMatch(written)
  })
})
