// Every text of the app lies in `src/texts/<language>/<area>.json`, one file a feature, as ICU messages.

import { i18n, type Messages } from '@lingui/core'
import { useLingui } from '@lingui/react'

import type account from '@/texts/en/account.json'
import type accuracy from '@/texts/en/accuracy.json'
import type admin from '@/texts/en/admin.json'
import type app from '@/texts/en/app.json'
import type cancellation from '@/texts/en/cancellation.json'
import type catalogue from '@/texts/en/catalogue.json'
import type checkout from '@/texts/en/checkout.json'
import type contact from '@/texts/en/contact.json'
import type driver from '@/texts/en/driver.json'
import type notifications from '@/texts/en/notifications.json'
import type operator from '@/texts/en/operator.json'
import type owner from '@/texts/en/owner.json'
import type refund from '@/texts/en/refund.json'
import type server from '@/texts/en/server.json'
import type table from '@/texts/en/table.json'
import type tracking from '@/texts/en/tracking.json'

import { config } from './config'
import { cacheForWorker } from './pushed-texts'

export const LANGUAGES = { en: 'English', si: 'සිංහල', ta: 'தமிழ்' } as const
export type Language = keyof typeof LANGUAGES

/** The English catalogues declare the texts. */
interface Catalogues {
  app: typeof app
  account: typeof account
  accuracy: typeof accuracy
  cancellation: typeof cancellation
  catalogue: typeof catalogue
  checkout: typeof checkout
  contact: typeof contact
  tracking: typeof tracking
  notifications: typeof notifications
  owner: typeof owner
  driver: typeof driver
  admin: typeof admin
  operator: typeof operator
  refund: typeof refund
  server: typeof server
  table: typeof table
}

/** A file of texts: one a feature, `app` for the frame around them, `server` for the sentences of services by code. */
export type Area = keyof Catalogues

/** Names a text: `checkout.emptyCart` is `emptyCart` in `checkout.json`. */
export type TextId = { [A in Area]: `${A}.${keyof Catalogues[A] & string}` }[Area]

type TextValues = Record<string, string | number | Date>

const STORAGE_KEY = 'language'
/** Services answer in English, so only tests need their English texts. */
const files = import.meta.glob<Messages>(['/src/texts/*/*.json', '!/src/texts/en/server.json'], { import: 'default' })
const areas = new Set<Area>()
let chosen: Language = supportedLanguage(localStorage.getItem(STORAGE_KEY)) ?? preferredLanguage() ?? supportedLanguage(new Intl.Locale(config().locale).language) ?? 'en'

/** The text in the reader's language. In a component, `useTexts` instead: it follows a change. */
export function text(id: TextId, values?: TextValues): string {
  return i18n._(id, values)
}

/** Reads texts; the component is rendered again when the reader chooses another language. */
export function useTexts(): typeof text {
  useLingui()
  return text
}

/** A sentence of a service: its code with the values in it, and the sentence in English. */
export interface ServiceMessage {
  code?: string | undefined
  params?: TextValues | undefined
  message: string
}

/** A service's sentence, in the reader's language if its code has a text. */
export function serviceText({ code, params, message }: ServiceMessage): string {
  return translated(`server.${code ?? ''}`, params) ?? message
}

function translated(id: string, values?: TextValues): string | undefined {
  return id in i18n.messages ? i18n._(id, values) : undefined
}

/** The language in use. */
export function language(): Language {
  return chosen
}

/** Loads the texts of a feature; a route waits for this along with its page. */
export async function loadTexts(area: Area): Promise<void> {
  areas.add(area)
  await loadMessages(language(), area)
}

/** Changes the language, and remembers it. */
export async function setLanguage(next: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, next)
  await activate(next)
}

/** Starts with the language chosen before, else the browser's, else the platform's. */
export async function startTexts(): Promise<void> {
  areas.add('app')
  await activate(chosen)
}

async function activate(next: Language) {
  await Promise.all([...areas].map((area) => loadMessages(next, area)))
  chosen = next
  i18n.activate(next)
  document.documentElement.lang = next
  // Not awaited: without it, sentences of services stay in English.
  loadSentences(next).catch(() => undefined)
}

/** Loads the texts of services, for readers of another language than English. */
async function loadSentences(reader: Language) {
  const pushed = reader === 'en' ? undefined : await loadMessages(reader, 'server')
  if (chosen !== reader) return
  i18n.emit('change')
  await cacheForWorker(pushed)
}

async function loadMessages(to: Language, area: Area) {
  const messages = (await files[`/src/texts/${to}/${area}.json`]?.()) ?? {}
  addMessages(to, area, messages)
  return messages
}

/** Takes in one file of texts. */
export function addMessages(to: Language, area: string, messages: Messages) {
  i18n.load(to, Object.fromEntries(Object.entries(messages).map(([key, message]) => [`${area}.${key}`, message])))
}

function preferredLanguage(): Language | undefined {
  return navigator.languages.map((tag) => supportedLanguage(tag.slice(0, 2).toLowerCase())).find((one) => one !== undefined)
}

function supportedLanguage(tag: string | null): Language | undefined {
  return tag === 'en' || tag === 'si' || tag === 'ta' ? tag : undefined
}
