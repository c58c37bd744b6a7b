import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  document.getElementById('configuration')?.remove()
  vi.resetModules()
})

/** Reads modules again as a browser does whose document has this configuration. */
function within(configuration: object) {
  const script = document.createElement('script')
  script.id = 'configuration'
  script.type = 'application/json'
  script.textContent = JSON.stringify(configuration)
  document.head.append(script)
  vi.resetModules()
}

const COUNTRIES = [
  { code: 'LKR', sign: 'Rs.', decimals: 2, locale: 'en-LK', shown: 'Rs. 1,250.50', step: '0.01' },
  { code: 'JPY', sign: '¥', decimals: 0, locale: 'ja-JP', shown: '¥1,251', step: '1' },
  { code: 'KWD', sign: 'KWD', decimals: 3, locale: 'en-KW', shown: 'KWD 1,250.500', step: '0.001' },
]

describe.each(COUNTRIES)('amounts of $code', ({ code, sign, decimals, locale, shown, step }) => {
  const configuration = { currency: { code, sign, decimals }, locale }

  it('have its sign and its decimals', async () => {
    within(configuration)
    const [{ moneyText, CURRENCY_SIGN }, { MONEY_STEP }] = await Promise.all([import('./format'), import('./money')])
    expect([moneyText(1250.5), CURRENCY_SIGN, MONEY_STEP]).toEqual([shown, sign, step])
  })

  it('are split without a rest, no part below zero', async () => {
    within(configuration)
    const [{ splitEvenly }, { cents, fromCents }] = await Promise.all([import('@/features/checkout/shares'), import('./money')])
    for (let total = 0; total < 400; total += 7) {
      for (let count = 1; count < 12; count++) {
        const parts = splitEvenly(fromCents(total), count).map(cents)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
        // All but the last are a part rounded to the cent, until the total is used up.
        const whole = Math.round(total / count)
        expect(parts.slice(0, -1).every((part, at) => part === Math.max(0, Math.min(whole, total - at * whole)))).toBe(true)
      }
    }
  })
})

it('a reader whose browser names no language of ours gets the language of the country', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-FR'])
  within({ locale: 'ta-IN' })
  expect((await import('./texts')).language()).toBe('ta')
})

it('numbers are in the form of the country', async () => {
  within({ locale: 'en-DE', currency: { code: 'EUR', sign: '€', decimals: 2 } })
  const { moneyText } = await import('./format')
  expect(moneyText(1250.5)).toBe('€1.250,50')
})
