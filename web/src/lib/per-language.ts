import { i18n } from '@lingui/core'

const LOCALES: Record<string, string> = { en: 'en-LK', si: 'si-LK', ta: 'ta-LK' }

/** One formatter a language, made when it is first needed. */
export function perLanguage<F>(make: (tag: string) => F): () => F {
  const made = new Map<string, F>()
  return () => {
    const tag = LOCALES[i18n.locale] ?? 'en-LK'
    const formatter = made.get(tag) ?? make(tag)
    made.set(tag, formatter)
    return formatter
  }
}

/** The form of dates without a browser's words for a language: numbers, the year first, as Sinhala writes them. */
const NUMBERS = 'sv-SE'

/** The form of dates in words, and that in numbers. */
export function dates(options: Intl.DateTimeFormatOptions, numbers: Intl.DateTimeFormatOptions) {
  return perLanguage((tag) => {
    const hasWords = Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
    return hasWords ? new Intl.DateTimeFormat(tag, options) : new Intl.DateTimeFormat(NUMBERS, numbers)
  })
}
