import type { SyntheticEvent } from 'react'
import * as v from 'valibot'

import { text, type TextId } from '@/lib/texts'

/** A rule's message, in the language at the time of the error. */
export function localizedError(id: TextId) {
  return () => text(id)
}

const NOT_IN_NAMES = /[^\p{L}\p{M}\u200c\u200d '’.-]/gu

/** A typed name without characters that no name needs. */
export function filterName(typed: string): string {
  return typed.replace(NOT_IN_NAMES, '')
}

/** A typed phone number: its digits, and a leading plus. */
export function filterPhone(typed: string): string {
  return typed.replace(/[^\d+]/g, '').replace(/(?!^)\+/g, '')
}

/** Filters the input of a field while the user types. */
export function filterInput(filter: (typed: string) => string) {
  return {
    onInput: (event: SyntheticEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget
      if (filter(value) !== value) event.currentTarget.value = filter(value)
    },
  }
}

export const nameRule = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(100, localizedError('account.nameTooLong')),
  v.regex(/\p{L}/u, localizedError('account.nameRequired')),
)

/** An address as browsers check it, with a domain that has a dot. */
export function emailRule(id: TextId) {
  const error = localizedError(id)
  return v.pipe(v.string(), v.rfcEmail(error), v.regex(/\.\p{L}{2,}$/u, error))
}

export const passwordRule = v.pipe(
  v.string(),
  v.minLength(8, localizedError('account.passwordHint')),
  v.regex(/\p{Lu}/u, localizedError('account.passwordHint')),
  v.regex(/[^\p{L}\p{M}\p{N}\s]/u, localizedError('account.passwordHint')),
)

export const addressRule = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, localizedError('account.addressRequired')),
  v.maxLength(300, localizedError('account.addressTooLong')),
)

export const phoneRule = v.pipe(v.string(), v.regex(/^\+?\d{6,15}$/, localizedError('account.digitsOnly')))
