import * as v from 'valibot'

import type { ServiceName } from './services'

const text = v.nullish(v.string(), null)

const configSchema = v.object({
  services: v.optional(v.record(v.string(), v.string()), {}),
  map: v.optional(v.object({ tileUrl: text, attribution: text }), {}),
  geocoder: v.optional(v.boolean(), false),
  googleClientId: text,
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
