import { z } from 'zod'

const base = z.string().default('')

const configSchema = z.object({
  services: z
    .object({
      user: base,
      restaurant: base,
      order: base,
      delivery: base,
      driver: base,
      notification: base,
      payment: base,
      media: base,
      live: base,
    })
    .default({
      user: '',
      restaurant: '',
      order: '',
      delivery: '',
      driver: '',
      notification: '',
      payment: '',
      media: '',
      live: '',
    }),
  map: z
    .object({ tileUrl: z.string().nullable().default(null), attribution: z.string().nullable().default(null) })
    .default({ tileUrl: null, attribution: null }),
  geocoder: z.boolean().default(false),
  googleClientId: z.string().nullable().default(null),
  /** Lets somebody without an account upload a profile picture. */
  anonKey: z.string().nullable().default(null),
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
