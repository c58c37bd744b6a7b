import * as v from 'valibot'

import type { Coordinates } from '@/lib/geolocation'
import { session } from '@/lib/session'

import { isProblem } from './problem'
import { send } from './send'

const answerSchema = v.object({ display_name: v.string() })

/** The address of a place; null if it is unknown, or if the visitor may not ask. */
export async function addressAt({ lat, lng }: Coordinates): Promise<string | null> {
  if (session.user()?.emailVerified !== true) return null
  const url = new URL(`/api/v1/geocode/reverse?lat=${lat}&lon=${lng}`, window.location.origin)
  try {
    const answer = await send(url)
    return v.parse(answerSchema, await answer.json()).display_name
  } catch (error) {
    if (isProblem(error) && error.status === 404) return null
    throw error
  }
}
