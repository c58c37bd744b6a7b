import type { SyntheticEvent } from 'react'
import { z } from 'zod'

import { text, type TextId } from '@/lib/texts'

/** A rule's message, in the language of the moment it is broken. */
export function said(id: TextId) {
  return { error: () => text(id) }
}

const NOT_OF_NAMES = /[^\p{L}\p{M}\u200c\u200d '’.-]/gu

/** A typed name without characters that no name needs. */
export function lettersOf(typed: string): string {
  return typed.replace(NOT_OF_NAMES, '')
}

/** A typed phone number: its digits, and a leading plus. */
export function digitsOf(typed: string): string {
  return typed.replace(/[^\d+]/g, '').replace(/(?!^)\+/g, '')
}

/** Keeps of what is typed what `kept` leaves of it. */
export function typing(kept: (typed: string) => string) {
  return {
    onInput: (event: SyntheticEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget
      if (kept(value) !== value) event.currentTarget.value = kept(value)
    },
  }
}

export const nameRule = z
  .string()
  .trim()
  .max(100, said('account.nameTooLong'))
  .regex(/\p{L}/u, said('account.nameRequired'))

export const emailRule = z.email(said('account.emailInvalid'))

export const passwordRule = z
  .string()
  .min(8, said('account.passwordHint'))
  .regex(/\p{Lu}/u, said('account.passwordHint'))
  .regex(/[^\p{L}\p{M}\p{N}\s]/u, said('account.passwordHint'))

export const addressRule = z.string().trim().min(1, said('account.addressRequired')).max(300, said('account.addressTooLong'))

export const phoneRule = z.string().regex(/^\+?\d{6,15}$/, said('account.digitsOnly'))
