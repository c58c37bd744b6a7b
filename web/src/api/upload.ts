import * as v from 'valibot'

import { config, serviceUrl } from '@/lib/config'
import { session } from '@/lib/session'
import { text } from '@/lib/texts'

import { messageOf, Problem } from './problem'
import { freshToken } from './refresh'

const BUCKET = 'images'
/** The time that browsers may keep a picture, in seconds. */
const CACHE_SECONDS = 3600

const answerSchema = v.object({ Key: v.pipe(v.string(), v.startsWith(`${BUCKET}/`)) })

/**
 * Uploads a picture and returns its public URL. Its name begins with the time, so that it replaces no other picture.
 * Rejects with an error whose message is for people.
 */
export async function uploadPicture(file: File | null | undefined): Promise<string> {
  if (!file) throw new Error(text('app.noFileSelected'))
  const storage = `${serviceUrl('media')}/storage/v1/object`
  const name = encodeURIComponent(`${Date.now()}${file.name}`)
  try {
    const answer = await fetch(`${storage}/${BUCKET}/${name}`, {
      method: 'POST',
      headers: {
        ...(await authHeaders()),
        'Cache-Control': `max-age=${CACHE_SECONDS}`,
        'Content-Type': file.type || 'application/octet-stream',
        'X-Upsert': 'false',
      },
      body: file,
    })
    if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => null))
    v.parse(answerSchema, await answer.json())
  } catch (cause) {
    const reason = messageOf(cause, '')
    const failed = text('app.fileNotUploaded')
    throw new Error(reason === '' ? failed : `${failed}: ${file.name}. ${reason}`, { cause })
  }
  return `${storage}/public/${BUCKET}/${name}`
}

/** The session's token; the public key before an account is verified. */
async function authHeaders(): Promise<Record<string, string>> {
  const token = session.user()?.emailVerified === true ? await freshToken() : null
  const { anonKey } = config()
  if (token !== null) return { Authorization: `Bearer ${token}` }
  return anonKey === null ? {} : { apikey: anonKey }
}
