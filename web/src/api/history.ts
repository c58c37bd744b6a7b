// Streams to files and back: newline-delimited JSON, one event a line.

import { client } from './generated/client.gen'
import { importStream } from './generated/sdk.gen'
import type { EventView, SearchEventsResponses } from './generated/types.gen'
import { type ListPage, type ListQuery, pageOf } from './pages'

/** Called with the number of lines that are done, and of all; null while it is unknown. */
type OnProgress = (lines: number, of: number | null) => void

const NDJSON = 'application/x-ndjson'
/** An import's call takes 1 MiB; with room for what surrounds the lines. */
const MAX_BYTES = 1_000_000

/** Every event that matches, newest first, personal fields masked. */
export async function exportMatches(query: ListQuery, onProgress: OnProgress, signal: AbortSignal): Promise<Blob> {
  const parts: string[] = []
  let [lines, cursor]: [number, string | null] = [0, null]
  do {
    const page: ListPage<EventView> = await pageOf<SearchEventsResponses>('/api/v1/operator/events', query, 500, cursor, signal)
    parts.push(...page.rows.map((row) => `${JSON.stringify(row)}\n`))
    lines += page.rows.length
    cursor = page.next
    onProgress(lines, null)
  } while (cursor !== null)
  return new Blob(parts, { type: NDJSON })
}

/** A whole stream, oldest first, with personal fields. The export is recorded. */
export async function exportStream(stream: string, reason: string, onProgress: OnProgress, signal: AbortSignal): Promise<Blob> {
  const { data, response } = await client.get<{ 200: ReadableStream<Uint8Array<ArrayBuffer>> | null }, unknown, true, 'fields'>({
    url: '/api/v1/operator/export/{stream}',
    path: { stream },
    query: { reason },
    parseAs: 'stream',
    responseStyle: 'fields',
    throwOnError: true,
    signal,
  })
  const all = Number(response.headers.get('tiffin-count') ?? 0)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  onProgress(0, all)
  if (data !== null && all > 0) {
    const reader = data.getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value)
      lines += read.value.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)
      onProgress(lines, all)
    }
  }
  // A broken connection looks like the end of the stream.
  if (lines !== all) throw new Error(`${String(lines)} of ${String(all)} events have come`)
  return new Blob(parts, { type: NDJSON })
}

/** Whole lines, as many as one call takes. */
export function* batchLines(lines: string[], most = MAX_BYTES): Generator<string[]> {
  const bytes = new TextEncoder()
  let [call, size]: [string[], number] = [[], 0]
  for (const line of lines) {
    const length = bytes.encode(line).length + 1
    if (call.length > 0 && size + length > most) {
      yield call
      call = []
      size = 0
    }
    call.push(line)
    size += length
  }
  if (call.length > 0) yield call
}

/** Imports the lines of an export into an empty stream, or continues an import. Returns the number of stored lines. */
export async function importLines(stream: string, reason: string, file: Blob, onProgress: OnProgress): Promise<number> {
  const lines = (await file.text()).split('\n').filter((line) => line.trim() !== '')
  const calls = [...batchLines(lines)]
  let [done, stored]: [number, number] = [0, 0]
  let begun: string | undefined
  onProgress(0, lines.length)
  for (const [index, call] of calls.entries()) {
    const query = { reason, more: index + 1 < calls.length, ...(begun === undefined ? {} : { import: begun }) }
    const answer = await importStream({ path: { stream }, query, body: `${call.join('\n')}\n`, bodySerializer: null })
    begun = answer.importId
    stored += answer.stored
    done += call.length
    onProgress(done, lines.length)
  }
  return stored
}
