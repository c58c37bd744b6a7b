import type { SyntheticEvent } from 'react'
import { z } from 'zod'

import { text, type TextId } from '@/lib/texts'

/** A rule's message, in the language at the time of the error. */
export function localizedError(id: TextId) {
  return { error: () => text(id) }
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

export const nameRule = z
  .string()
  .trim()
  .max(100, localizedError('account.nameTooLong'))
  .regex(/\p{L}/u, localizedError('account.nameRequired'))

export const emailRule = z.email(localizedError('account.emailInvalid'))

export const passwordRule = z
  .string()
  .min(8, localizedError('account.passwordHint'))
  .regex(/\p{Lu}/u, localizedError('account.passwordHint'))
  .regex(/[^\p{L}\p{M}\p{N}\s]/u, localizedError('account.passwordHint'))

export const addressRule = z.string().trim().min(1, localizedError('account.addressRequired')).max(300, localizedError('account.addressTooLong'))

export const phoneRule = z.string().regex(/^\+?\d{6,15}$/, localizedError('account.digitsOnly'))
