// Plain words, by the list in `docs/glossary.md` and the rules in `CONTRIBUTING.md`; `infra/xtask/src/words.rs` is
// the same for the Rust sources.

import { expect, it } from 'vitest'

import { findWords, sources } from '@test/prose'

/** Words that have a plainer one. */
const BANNED = [
  'whoever',
  'somebody',
  'nobody',
  'anew',
  'told',
  'what is none',
  'there is none',
  'in vain',
  'for ever',
  'of its own',
  'of their own',
  'of his own',
  'of her own',
]

/** Words that have a plainer one in a text of the site: "is shown", "is there". */
const BANNED_IN_TEXTS = ['stands', 'everybody']

it('no source and no English text has a banned word', () => {
  const found = sources().flatMap(({ file, text }) => {
    const words = file.startsWith('src/texts/') ? [...BANNED, ...BANNED_IN_TEXTS] : BANNED
    return findWords(text, words).map(({ line, word }) => `${file}:${line}: ${word}`)
  })
  expect(found).toEqual([])
})

it('a word is found whole, in any case, and across lines', () => {
  expect(findWords('Nobody was there.\n// It is in\n// vain, in a place of its\n * own.', BANNED)).toEqual([
    { line: 1, word: 'nobody' },
    { line: 2, word: 'in vain' },
    { line: 3, word: 'of its own' },
  ])
  expect(findWords('nobodyBehind, toldYours, nobody_ORDERS', BANNED)).toEqual([])
})
