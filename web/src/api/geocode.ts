import { z } from 'zod'

import { config } from '@/lib/config'
import type { Place } from '@/lib/geolocation'

import { send } from './send'

const foundSchema = z.object({ display_name: z.string(), lat: z.coerce.number(), lon: z.coerce.number() })

/** A place with the address it is known by. */
export interface Found extends Place {
  address: string
}

async function get(path: string, query: Record<string, string>, signal?: AbortSignal): Promise<unknown> {
  const url = new URL(`/api/v1/geocode/${path}?${new URLSearchParams(query).toString()}`, window.location.origin)
  const answer = await send(url, signal === undefined ? {} : { signal })
  return answer.json()
}

/** The address of a place; null where no geocoder is set up. */
export async function addressAt({ lat, lng }: Place): Promise<string | null> {
  if (!config().geocoder) return null
  const answer = await get('reverse', { lat: String(lat), lon: String(lng), format: 'json' })
  return z.object({ display_name: z.string() }).parse(answer).display_name
}

/** Places by what people call them, the likeliest first. */
export async function placesCalled(q: string, signal: AbortSignal): Promise<Found[]> {
  const answer = z.array(foundSchema).parse(await get('search', { q, format: 'json' }, signal))
  return answer.map(({ display_name, lat, lon }) => ({ address: display_name, lat, lng: lon }))
}
