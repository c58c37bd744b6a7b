import * as v from 'valibot'

import type { ServiceName } from './services'

const text = v.nullish(v.string(), null)

const LKR = { code: 'LKR', decimals: 2, sign: 'Rs.' }

const configSchema = v.object({
  services: v.optional(v.record(v.string(), v.string()), {}),
  map: v.optional(v.object({ tileUrl: text, attribution: text }), {}),
  geocoder: v.optional(v.boolean(), false),
  googleClientId: text,
  /** The currency of all amounts: its code of ISO 4217, its decimals, and the text before an amount. */
  currency: v.optional(v.object({ code: v.string(), decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3)), sign: v.string() }), LKR),
  /** The clocks that the platform's days begin with, by the names of IANA. */
  timeZone: v.optional(v.string(), 'Asia/Colombo'),
  /** A tag of BCP 47: the language of readers whose browser names none of ours, and the form of numbers. */
  locale: v.optional(v.string(), 'en-LK'),
  /** Lets a visitor without an account upload a profile picture. */
  anonKey: text,
  /** Present where Stripe takes the payments. */
  stripe: v.nullish(v.object({ publishableKey: v.string(), script: v.string() }), null),
})

/** The configuration of the web app. */
type Config = v.InferOutput<typeof configSchema>

/** Reads the configuration that the server puts into the document. Without it everything is on this origin. */
export function readConfig(): Config {
  try {
    return v.parse(configSchema, JSON.parse(document.getElementById('configuration')?.textContent ?? '{}'))
  } catch (cause) {
    console.warn('The document has no usable configuration; everything is taken from this origin.', cause)
    return v.parse(configSchema, {})
  }
}

const current = readConfig()

export function config(): Config {
  return current
}

/** The base URL of a service; empty for this origin. */
export function serviceUrl(service: ServiceName): string {
  return current.services[service] ?? ''
}
