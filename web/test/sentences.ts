// The sentences that services say to people, read from their sources.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

const SENTENCE_SOURCES = [
  'platform/chassis/src/',
  'services/user/src/',
  'services/restaurant/src/',
  'services/order/src/',
  'services/payment/src/',
  'services/delivery/src/',
  'services/driver/src/',
  'services/notification/src/',
  'services/media/src/',
  // Values with error messages.
  'events/catalog/src/item.rs',
  'events/catalog/src/money.rs',
]

/** Files without sentences for users of the app. */
const FILES_WITHOUT_SENTENCES = [
  // The configuration's faults and the log's.
  'platform/chassis/src/env.rs',
  'platform/chassis/src/health.rs',
  'platform/chassis/src/mail.rs',
  'platform/chassis/src/supervise.rs',
  'services/media/src/sweep.rs',
  'services/payment/src/state.rs',
  'services/user/src/config.rs',
  // Mail and invoices have separate texts.
  'services/notification/src/mailer.rs',
  'services/payment/src/invoice.rs',
  'services/user/src/mailer.rs',
  'services/user/src/mails.rs',
  'services/user/src/resets/mails.rs',
  'services/user/src/second_factor/mails.rs',
  // A drawing.
  'services/user/src/second_factor/app.rs',
  // Reasons of failed pushes, for operators.
  'services/notification/src/push/encryption.rs',
  'services/notification/src/push.rs',
  'services/notification/src/pusher.rs',
  'services/notification/src/store/pushes.rs',
  // Headers.
  'platform/chassis/src/connections.rs',
  'services/user/src/http/request_context.rs',
]

/** Said to administrators and operators, who read English, or no sentence at all. */
const LEFT_IN_ENGLISH = new Set([
  'A request names one host.',
  'Bearer realm="tiffin"',
  'Bearer realm="tiffin", ‹1›',
  'Diners Club',
  'Item approved successfully!',
  'Only an administrator may respond.',
  'Only services may ask for this.',
  'Order approved successfully',
  'Response cannot be empty.',
  'Restaurant verified successfully',
  'Review approved successfully',
  'The account is blocked.',
  'The account is gone.',
  'The body',
  'The last administrator cannot be removed.',
  "The mail can't be written.",
  'UUID parsing failed',
  'User blocked',
  'User unblocked',
  'You cannot block yourself.',
  'the encoder panicked',
])

/** Sentences that are put together at run time. */
const COMPOSED = [
  {
    file: 'platform/chassis/src/field_error.rs',
    frame: '‹1› must be ‹2›.',
    part: /"((?:an?|true) [^"]+)"\.to_owned\(\)/g,
    format: (part: string) => `‹1› must be ${part}.`,
  },
  {
    file: 'services/notification/src/mail.rs',
    frame: '‹1› ‹2›',
    part: /NotificationTopic::\w+ => "([^"]+)"/g,
    format: (part: string) => `${part} ‹1›`,
  },
]

export interface Sentence {
  file: string
  /** The values in it are written as `‹1›`, `‹2›` …. */
  text: string
}

/** Every sentence that a reader of the app may meet. */
export function sentencesOfServices(): Sentence[] {
  return SENTENCE_SOURCES.flatMap(filesBelow)
    .filter((file) => !FILES_WITHOUT_SENTENCES.includes(file))
    .flatMap((file) => {
      const source = readFileSync(`${ROOT}/${file}`, 'utf8')
      const composed = COMPOSED.filter((one) => one.file === file)
      const parts = composed.flatMap(({ part, format }) => [...source.matchAll(part)].map(([, words = '']) => ({ words, text: format(words) })))
      const written = sentencesIn(source).filter(
        (text) => !composed.some(({ frame }) => frame === text) && !parts.some(({ words }) => words === text),
      )
      return [...written, ...parts.map(({ text }) => text)].map((text) => ({ file, text }))
    })
    .filter(({ text }) => !LEFT_IN_ENGLISH.has(text))
}

function filesBelow(path: string): string[] {
  if (path.endsWith('.rs')) return [path]
  return readdirSync(`${ROOT}/${path}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.rs') && !file.endsWith('/tests.rs'))
    .sort()
}

/** Comments, raw texts, texts, characters, and whatever else. */
const TOKEN = /\/\/[^\n]*|\br(#*)"[\s\S]*?"\1|"((?:[^"\\]|\\[\s\S])*)"|'(?:\\.|[^'\\])'|[\s\S]/g

/** The sentences among the texts of a Rust source, without its tests. */
export function sentencesIn(source: string): string[] {
  const [code = ''] = source.split(/^#\[cfg\(test\)\]\nmod tests \{/m)
  const found: string[] = []
  let before = ''
  for (const [token, , inner] of code.matchAll(TOKEN)) {
    if (inner !== undefined) {
      const text = isForPeople(inner, before) ? sentenceOf(inner, before) : null
      if (text !== null) found.push(text)
    }
    before = (inner === undefined ? `${before}${token.startsWith('//') ? '' : token}` : `${before}""`).slice(-400)
  }
  return found
}

/** Neither the log's nor SQL nor a description of the interface; two words at least. */
function isForPeople(text: string, before: string): boolean {
  const isLogged = /tracing::\w+!\([^;]*$/.test(before)
  const isDescribed = /(?:description|reason) = $|example = [^)]*$|json!\([^)]*$|\w\(\w+\) = "", "", $/.test(before)
  const isQuery = /^\s*(?:select|insert|update|delete|with|lock|set|from|and|where) /.test(text)
  return !isLogged && !isDescribed && !isQuery && /\p{L}\S* .*\p{L}/su.test(text.replace(/\{[^{}]*\}/g, ''))
}

/** A text that begins as a sentence does, or is made one where a value is refused. */
function sentenceOf(text: string, before: string): string | null {
  let count = 0
  const sentence = text
    .replace(/\\\n\s*/g, '')
    .replaceAll('\\"', '"')
    .replace(/\{[^{}]*\}/g, () => `‹${(count += 1)}›`)
  if (/[cC]ustom\((?:format_args!\()?\s*$/.test(before)) return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
  return /^[\p{Lu}‹]/u.test(sentence) || /Err\(\s*$|Invalid\(\s*"",\s*$/.test(before) ? sentence : null
}
