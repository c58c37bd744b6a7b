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
})

/** The configuration of the web app at start. */
type Config = v.InferOutput<typeof configSchema>

let current: Config = v.parse(configSchema, {})

/** The configuration; defaults until `loadConfig` has finished. */
export function config(): Config {
  return current
}

/** The base URL of a service; empty for this origin. */
export function serviceUrl(service: ServiceName): string {
  return current.services[service] ?? ''
}

/** Reads `/config.json` once, before the first render. Without it everything is on this origin. */
export async function loadConfig(): Promise<Config> {
  try {
    const answer = await fetch('/config.json')
    if (answer.ok) current = v.parse(configSchema, await answer.json())
  } catch (cause) {
    console.warn('No usable /config.json; everything is taken from this origin.', cause)
  }
  return current
}
