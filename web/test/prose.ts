// The web's own sources and English texts, read for their words.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dirname, '..')

/** The folders, and the files beside them, that people write. */
const WRITTEN = ['src', 'worker', 'test', 'journey', 'docs', 'brotli.ts', 'preloads.ts', 'styles.ts', 'texts.ts', 'vite.config.ts']

/** Made from the services' sources, which have a test of their words; the list itself; other languages. */
const LEFT_OUT = /^src\/api\/generated\/|^src\/lib\/words\.test\.ts$|^src\/texts\/(?!en\/)/

interface Source {
  /** Its path in `web`. */
  file: string
  text: string
}

/** Every source and every file of English texts. */
export function sources(): Source[] {
  return WRITTEN.flatMap(filesOf)
    .filter((file) => /\.(?:tsx?|js|css|html|json|md)$/.test(file) && !LEFT_OUT.test(file))
    .map((file) => ({ file, text: readFileSync(join(WEB, file), 'utf8') }))
}

function filesOf(path: string): string[] {
  if (path.includes('.')) return [path]
  return readdirSync(join(WEB, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .sort()
}

/** The line and the word of every place where a text has one of these words, also where a line break divides it. */
export function findWords(text: string, words: readonly string[]): { line: number; word: string }[] {
  return words.flatMap((word) => {
    const gap = String.raw`(?:\s+(?:\*|//)?\s*)`
    const found = text.matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}_])${word.replaceAll(' ', gap)}(?![\p{L}\p{N}_])`, 'giu'))
    return [...found].map(({ index }) => ({ line: text.slice(0, index).split('\n').length, word }))
  })
}
