import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { LANGUAGES, serviceText, setLanguage } from './texts'

const ROOT = join(import.meta.dirname, '../../..')
const LANGUAGES_WITH_TEXTS = Object.keys(LANGUAGES)

/** Operators read English. */
const LEFT_IN_ENGLISH = /^operator\./

const textsSchema = v.record(v.string(), v.string())
const descriptionSchema = v.object({ 'x-problems': v.record(v.string(), v.object({ sentence: v.string() })) })

function json(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

function texts(language: string, area: string): Record<string, string> {
  return v.parse(textsSchema, json(`web/src/texts/${language}/${area}.json`))
}

/** The sentences of problems by code, as the services describe them. */
function problems(): Record<string, string> {
  const { 'x-problems': table } = v.parse(descriptionSchema, json('web/openapi.json'))
  const rows = Object.entries(table).filter(([code]) => !LEFT_IN_ENGLISH.test(code))
  return Object.fromEntries(rows.map(([code, { sentence }]) => [code, sentence]))
}

/** The sentences of notifications by code, as the service declares them. */
function notifications(): Record<string, string> {
  const source = readFileSync(join(ROOT, 'services/notification/src/text.rs'), 'utf8')
  const rows = source.matchAll(/text\(\s*"(notification\.[a-z-]+)",\s*"([^"]+)"/g)
  return Object.fromEntries([...rows].map(([, code = '', sentence = '']) => [code, sentence]))
}

describe('the sentences of services', () => {
  it('are in English what the services say, by code', () => {
    expect(texts('en', 'server')).toEqual({ ...problems(), ...notifications() })
  })

  it.each(LANGUAGES_WITH_TEXTS)('have a text for every code in %s', (language) => {
    const codes = Object.keys({ ...problems(), ...notifications() }).sort()
    expect(Object.keys(texts(language, 'server')).sort(), 'Add each to src/texts/*/server.json.').toEqual(codes)
  })
})

describe('what a service says', () => {
  afterEach(() => setLanguage('en'))

  it.each([
    [
      'si',
      {
        code: 'notification.new-order',
        params: { order: 'ORD-7K3M9QX2', quantity: '2', dish: 'Hoppers' },
        message: 'New order ORD-7K3M9QX2: 2 × Hoppers.',
      },
      'නව ඇණවුම ORD-7K3M9QX2: 2 × Hoppers.',
    ],
    ['ta', { code: 'user.address-required', message: 'Please enter an address.' }, 'முகவரியை உள்ளிடவும்.'],
  ] as const)('is read in %s', async (language, said, translation) => {
    expect(serviceText(said)).toBe(said.message)
    await setLanguage(language)
    await vi.waitFor(() => {
      expect(serviceText(said)).toBe(translation)
    })
    expect(serviceText({ code: 'user.unheard-of', message: 'Buy one, get one free!' })).toBe('Buy one, get one free!')
    expect(serviceText({ message: 'Without a code.' })).toBe('Without a code.')
    await setLanguage('en')
    expect(serviceText(said)).toBe(said.message)
  })
})
