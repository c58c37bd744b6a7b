import { afterEach, describe, expect, it, vi } from 'vitest'

import { sentencesIn, sentencesOfServices } from '@test/sentences'

import { findSentence } from './sentences'
import { serverText, setLanguage } from './texts'

const files = import.meta.glob<Record<string, unknown>>('/src/texts/*/server.json', { eager: true, import: 'default' })
const sentences = sentencesOfServices()

/** The key of a sentence in the catalogue, if its placeholders take nothing but the inserted values. */
function keyOf(sentence: string): string | undefined {
  const found = findSentence(sentence)
  return found !== undefined && Object.values(found.values).every((value) => /^‹\d+›$/.test(value)) ? found.key : undefined
}

/** Said by libraries that services are built on, and by the app itself in a service's place. */
const OTHERS = ['bodyNotObject', 'fieldNotOneOf', 'fileMissing', 'fileNotUploaded']

describe('the sentences of the services', () => {
  it.each(['si', 'ta'])('can each be read in %s', (language) => {
    const texts = files[`/src/texts/${language}/server.json`] ?? {}
    const missing = sentences.filter(({ text }) => !((keyOf(text) ?? '') in texts)).map(({ file, text }) => `${file}: ${text}`)
    expect(
      missing,
      'Add each to src/texts/en/server.json (with {names} for what is put in) and its translation to si and ta. Where only the staff reads it, to LEFT_IN_ENGLISH in test/sentences.ts.',
    ).toEqual([])
  })

  it('are all that is translated', () => {
    const said = new Set([...OTHERS, ...sentences.map(({ text }) => keyOf(text))])
    const unsaid = Object.keys(files['/src/texts/en/server.json'] ?? {}).filter((key) => !said.has(key))
    expect(unsaid, 'No service says these any more: remove them from src/texts/*/server.json.').toEqual([])
  })

  it('are found in the sources, and nothing else is', () => {
    const source = `
      /// "Never shown."
      #[error("Not {0} here.")]
      #[error("the database refused: {0}")]
      tracing::warn!(%error, "Written to the log alone.");
      (status = 404, description = "There is no such dish.", body = ProblemBody);
      return Err(de::Error::custom("an amount has at most two decimals"));
      format!("Order {code} was \\
               cancelled: {}.", reason);
#[cfg(test)]
mod tests {
    const TEXT: &str = "Only a test says this.";
}`
    expect(sentencesIn(source)).toEqual(['Not ‹1› here.', 'An amount has at most two decimals.', 'Order ‹1› was cancelled: ‹2›.'])
  })

  it.each([
    ['Please wait 27 seconds before asking for another code.', { seconds: '27' }],
    ['New order ORD-7K3M9QX2: 2 × Kottu (large): hot.', { order: 'ORD-7K3M9QX2', quantity: '2', dish: 'Kottu (large): hot' }],
    ['The amount to pay is 1234.50.', { amount: '1234.50' }],
    ['$& is out of stock.', { dish: '$&' }],
    ['Please enter the OTP.', {}],
  ])('%s keeps what was put in', (sentence, values) => {
    expect(findSentence(sentence)?.values).toEqual(values)
  })
})

describe('what a service says', () => {
  afterEach(() => setLanguage('en'))

  it.each([
    ['si', 'New order ORD-7K3M9QX2: 2 × Hoppers.', 'නව ඇණවුම ORD-7K3M9QX2: 2 × Hoppers.'],
    ['ta', 'Please enter the address.', 'முகவரியை உள்ளிடவும்.'],
  ] as const)('is read in %s', async (language, sentence, translation) => {
    expect(serverText(sentence)).toBe(sentence)
    await setLanguage(language)
    await vi.waitFor(() => {
      expect(serverText(sentence)).toBe(translation)
    })
    expect(serverText('Buy one, get one free!')).toBe('Buy one, get one free!')
    await setLanguage('en')
    expect(serverText(sentence)).toBe(sentence)
  })
})
