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
