// What a web app does with the hosted backend's client, asserted step by step.
import assert from 'node:assert/strict'
import { StorageClient } from '@supabase/storage-js'

const { STORAGE_URL, ANON_KEY, TOKEN } = process.env

// A red picture of 2 by 1 pixels.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGM4IScHRAAIdwIJkXAbPAAAAABJRU5ErkJggg==',
  'base64',
)

const images = (headers) => new StorageClient(STORAGE_URL, headers).from('images')
// The headers of a client without a session, and of one with.
const anonymous = images({ apikey: ANON_KEY, Authorization: `Bearer ${ANON_KEY}` })
const signedIn = images({ apikey: ANON_KEY, Authorization: `Bearer ${TOKEN}` })
const options = { cacheControl: '3600', upsert: false }

// A file from a form goes as multipart, under a name that needs escaping.
const file = new File([png], 'my kottu.png', { type: 'image/png' })
const name = `${Date.now()}${file.name}`
const uploaded = await signedIn.upload(name, file, options)
assert.equal(uploaded.error, null)
assert.equal(uploaded.data.path, name)
assert.equal(uploaded.data.fullPath, `images/${name}`)
assert.match(uploaded.data.id, /^[0-9a-f-]{36}$/)

const duplicate = await signedIn.upload(name, file, options)
assert.equal(duplicate.data, null)
assert.equal(duplicate.error.message, 'The resource already exists')
assert.equal(duplicate.error.status, 409)
assert.equal(duplicate.error.statusCode, '409')

const { publicUrl } = signedIn.getPublicUrl(name).data
const shown = await fetch(publicUrl)
assert.equal(shown.status, 200)
assert.equal(shown.headers.get('content-type'), 'image/png')
assert.equal(shown.headers.get('cache-control'), 'public, max-age=3600')

const saved = await fetch(signedIn.getPublicUrl(name, { download: 'kottu.png' }).data.publicUrl)
assert.equal(
  saved.headers.get('content-disposition'),
  "attachment; filename*=UTF-8''kottu.png",
)

const downloaded = await signedIn.download(name)
assert.equal(downloaded.error, null)
assert.equal(downloaded.data.type, 'image/png')
assert.deepEqual(await downloaded.data.arrayBuffer(), await shown.arrayBuffer())

// Bytes alone go as they are, with headers; whoever registers has no session yet.
const early = await anonymous.upload(`${Date.now()}raw.png`, png, {
  ...options,
  contentType: 'image/png',
  cacheControl: '60',
})
assert.equal(early.error, null)
const raw = await fetch(anonymous.getPublicUrl(early.data.path).data.publicUrl)
assert.equal(raw.headers.get('cache-control'), 'public, max-age=60')

const wrong = await signedIn.upload('page.html', new Blob(['<html>']), options)
assert.equal(wrong.error.status, 415)
assert.equal(wrong.error.message, 'Only JPEG, PNG, WebP and GIF pictures are taken.')

// Another's picture is left where it is.
const removed = await signedIn.remove([name, early.data.path])
assert.equal(removed.error, null)
assert.deepEqual(removed.data.map((object) => object.name), [name])
assert.equal((await fetch(publicUrl)).status, 404)

const refused = await anonymous.remove([early.data.path])
assert.equal(refused.error.status, 401)
const missing = await signedIn.download(name)
assert.equal(missing.data, null)
