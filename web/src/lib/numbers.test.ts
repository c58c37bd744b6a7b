import { i18n } from '@lingui/core'
import { afterEach, expect, it } from 'vitest'

import { changeText, countText, markText } from './numbers'

afterEach(() => {
  i18n.activate('en')
})

it.each(['en', 'si', 'ta'])('separates thousands in %s', (language) => {
  i18n.activate(language)
  expect(countText(5064)).toBe('5,064')
})

it('shortens the large marks of an axis only', () => {
  expect([0, 1500, 20_000, 2_500_000].map(markText)).toEqual(['0', '1,500', '20,000', '2.5M'])
})

it('names a change in percent, where there is something to compare with', () => {
  expect(changeText(100, 112)).toBe('+12%')
  expect(changeText(100, 88)).toBe('-12%')
  expect(changeText(100, 100)).toBe('0%')
  expect(changeText(0, 5)).toBeNull()
})
