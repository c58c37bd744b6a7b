import * as z from 'zod/mini'

const base = z._default(z.string(), '')
const services = {
  user: base,
  restaurant: base,
  order: base,
  delivery: base,
  driver: base,
  notification: base,
  payment: base,
  media: base,
  live: base,
  operator: base,
}
const text = z._default(z.nullable(z.string()), null)

const configSchema = z.object({
  services: z.prefault(z.object(services), {}),
  map: z.prefault(z.object({ tileUrl: text, attribution: text }), {}),
  geocoder: z._default(z.boolean(), false),
  googleClientId: text,
  /** Lets somebody without an account upload a profile picture. */
  anonKey: text,
})

export type ServiceName = keyof Config['services']

/** What the platform tells the web app at start; an empty service URL means the same origin. */
export type Config = z.infer<typeof configSchema>

let current: Config = configSchema.parse({})

/** The configuration; defaults until `loadConfig` has finished. */
export function config(): Config {
  return current
}

/** Reads `/config.json` once, before the first render. Without it everything is on this origin. */
export async function loadConfig(): Promise<Config> {
  try {
    const answer = await fetch('/config.json', { cache: 'no-cache' })
    if (answer.ok) current = configSchema.parse(await answer.json())
  } catch (cause) {
    console.warn('No usable /config.json; everything is taken from this origin.', cause)
  }
  return current
}
