import { i18n } from '@lingui/core'

import { config } from './config'

const platform = new Intl.Locale(config().locale)

/** The tag of a language as the platform's country writes it: `ta-LK`. */
function tagOf(language: string): string {
  if (language === platform.language) return platform.toString()
  return platform.region === undefined ? language : `${language}-${platform.region}`
}

/** One formatter a language, made when it is first needed. */
export function perLanguage<F>(make: (tag: string) => F): () => F {
  const made = new Map<string, F>()
  return () => {
    const tag = tagOf(i18n.locale === '' ? 'en' : i18n.locale)
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
