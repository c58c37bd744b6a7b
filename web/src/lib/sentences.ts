// Services speak English. What they say is found again by its English text, and with it the reader's.

import { i18n, type Messages } from '@lingui/core'

import type { Language } from './texts'

/** A cache that `worker/worker.js` reads. */
const WORKER_CACHE = 'tiffin-sentences'

interface Pattern {
  key: string
  names: string[]
  regex: RegExp
  /** Letters that are always the same. */
  fixedLength: number
}

const catalogues = import.meta.glob<Messages>('/src/texts/en/server.json', { eager: true, import: 'default' })
const exactSentences = new Map<string, string>()
const patterns: Pattern[] = []
for (const [key, message] of Object.values(catalogues).flatMap(Object.entries<Messages[string]>)) {
  const parts = typeof message === 'string' ? [message] : message
  if (parts.every((part) => typeof part === 'string')) exactSentences.set(parts.join(''), key)
  else patterns.push(patternOf(key, parts))
}
// What says more goes first: a short one may fit a longer sentence too.
patterns.sort((a, b) => b.fixedLength - a.fixedLength)

/** The sentence of `server.json`, and the values in it. */
export function findSentence(sentence: string): { key: string; values: Record<string, string> } | undefined {
  const key = exactSentences.get(sentence) ?? exactSentences.get(`${sentence}.`)
  if (key !== undefined) return { key, values: {} }
  for (const { key, names, regex } of patterns) {
    const [, ...values] = regex.exec(sentence) ?? []
    if (values.length > 0) return { key, values: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])) }
  }
  return undefined
}

/** The sentence in the language in use; undefined where it is not known. */
export function translateSentence(sentence: string): string | undefined {
  const found = findSentence(sentence)
  return found && i18n._(`server.${found.key}`, found.values)
}

/** Leaves the texts of notifications to the service worker, which shows pushed messages. */
export async function cacheForWorker(reader: Language): Promise<void> {
  if (!('caches' in window)) return
  await caches.delete(WORKER_CACHE)
  if (reader === 'en') return
  const pushed = patterns.filter(({ key }) => /^(?:told|title)[A-Z]/.test(key))
  const replacements = pushed.map(({ key, names, regex }) => [regex.source, i18n._(`server.${key}`, groupReferences(names))])
  const cache = await caches.open(WORKER_CACHE)
  await cache.put('/sentences.json', Response.json(replacements))
}

/** The values as `String.replace` names what a pattern found. */
function groupReferences(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, at) => [name, `$${at + 1}`]))
}

function patternOf(key: string, parts: Exclude<Messages[string], string>): Pattern {
  const fixed = parts.filter((part) => typeof part === 'string')
  const shape = parts.map((part) => (typeof part === 'string' ? part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : '(.+)'))
  return {
    key,
    names: parts.flatMap((part) => (typeof part === 'string' ? [] : [part[0]])),
    regex: new RegExp(`^${shape.join('')}$`, 's'),
    fixedLength: fixed.join('').length,
  }
}
