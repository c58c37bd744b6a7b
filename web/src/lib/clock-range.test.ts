import { i18n } from '@lingui/core'
import { afterEach, describe, expect, it } from 'vitest'

import { clockRangeText } from './clock-range'

afterEach(() => {
  i18n.activate('en')
})

describe('a range of clock times', () => {
  it.each([
    ['en', '2026-11-22T12:23:00', '2026-11-22T12:31:00', /^12:23\s–\s12:31\sPM$/],
    ['en', '2026-11-22T11:55:00', '2026-11-22T12:05:00', /^11:55\sAM\s–\s12:05\sPM$/],
    ['en', '2026-11-22T23:55:00', '2026-11-23T00:05:00', /^11:55\sPM – 12:05\sAM$/],
    ['ta', '2026-11-22T12:23:00', '2026-11-22T12:31:00', /^12:23\s–\s12:31$/],
  ])('in %s names no day', (language, from, to, written) => {
    i18n.activate(language)
    expect(clockRangeText(from, to)).toMatch(written)
  })
})
