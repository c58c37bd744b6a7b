import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'

import {
  archiveEvents,
  beginReplay as postReplay,
  cancelReplay,
  discardDeadLetter as deleteDeadLetter,
  editDeadLetter as postEdit,
  getCapacity,
  getEvent,
  getTimeline,
  listDeadLetterCauses,
  listReplays,
  listStreams,
  pauseReplay,
  rebuildProjection,
  republish,
  resumeReplay,
  retryDeadLetter as postRetry,
  rollBackProjection,
  searchEvents,
  verifyProjection,
} from './generated/sdk.gen'
import type { Begun, DeadLetterView, DryRun, EventView, ListDeadLettersResponses, ListUsersResponses, ReplayRequest, SearchEventsResponses } from './generated/types.gen'
import { lists } from './lists'
import { everyRow, type ListQuery, pagesQuery } from './pages'

/** The key of everything that the operators' console shows. */
export const OPERATOR = ['operator']
const EVENTS = '/api/v1/operator/events'
const PLACED = 'tiffin.order.placed.v1'

const eventMessages = v.object({ components: v.object({ messages: v.record(v.string(), v.unknown()) }) })

/** The types of events, by the platform's own description of them. */
export function eventTypesQuery() {
  return queryOptions({
    queryKey: [...OPERATOR, 'event-types'],
    queryFn: async ({ signal }) => {
      const answer = await fetch('/asyncapi.json', { signal })
      const { components } = v.parse(eventMessages, await answer.json())
      return Object.keys(components.messages).filter((name) => /^tiffin\..+\.v\d+$/.test(name)).sort()
    },
    staleTime: Infinity,
  })
}

/** The id of an order by its code; null if no event places one. */
export function orderIdQuery(code: string) {
  return queryOptions({
    queryKey: [...OPERATOR, 'order-id', code],
    queryFn: async ({ signal }) => {
      const placed = await searchEvents({ query: { type: PLACED, q: code, limit: 1 }, signal })
      const id: unknown = placed[0]?.event.subject
      return typeof id === 'string' ? id : null
    },
  })
}

/** The id of the account with an e-mail address; null without one. Only administrators may look. */
export function accountIdQuery(email: string) {
  const { key, url } = lists.users
  return queryOptions({
    queryKey: [...key, 'id', email],
    queryFn: async ({ signal }) => {
      const found = await everyRow<ListUsersResponses>(url, { q: email }, signal)
      return found.find((user) => user.email.toLowerCase() === email.toLowerCase())?._id ?? null
    },
  })
}

/** The current state of streams, consumers and outboxes. */
export function overviewQuery() {
  return queryOptions({ queryKey: [...OPERATOR, 'overview'], queryFn: ({ signal }) => listStreams({ signal }) })
}

/** The fill of streams, outboxes and the broker's disk, and when each is full. */
export function capacityQuery() {
  return queryOptions({ queryKey: [...OPERATOR, 'capacity'], queryFn: ({ signal }) => getCapacity({ signal }) })
}

/** Events that match, newest first. */
export function eventsQuery(query: ListQuery, size = 50) {
  return pagesQuery<SearchEventsResponses>([...OPERATOR, 'events'], EVENTS, query, size)
}

/** Events that match, with personal fields, which the search covers. Each page is kept: each request is recorded. */
export function revealedEventsQuery(query: ListQuery, reveal: string) {
  return { ...eventsQuery({ ...query, reveal }), staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false }
}

const DEAD_LETTERS = [...OPERATOR, 'dead-letters']
const DEAD = '/api/v1/operator/dead'

/** The causes of the dead letters that are not settled, urgent ones first. */
export function deadLetterCausesQuery() {
  return queryOptions({ queryKey: [...DEAD_LETTERS, 'causes'], queryFn: ({ signal }) => listDeadLetterCauses({ signal }) })
}

/** The dead letters of a cause, by pages. */
export function deadLettersQuery(cause: string) {
  return pagesQuery<ListDeadLettersResponses>(DEAD_LETTERS, DEAD, { cause }, 20)
}

/** Fetches all dead letters of a cause. */
export async function deadLettersOf(cause: string): Promise<DeadLetterView[]> {
  return await everyRow<ListDeadLettersResponses>(DEAD, { cause })
}

/** The stream of an event, and its stream sequence. */
export interface EventKey {
  stream: string
  seq: number
}

/** One event, personal fields masked. */
export function eventQuery({ stream, seq }: EventKey) {
  return queryOptions({
    queryKey: [...OPERATOR, 'event', stream, seq],
    queryFn: ({ signal }) => getEvent({ path: { stream, seq }, signal }),
    // An event never changes.
    staleTime: Infinity,
  })
}

/** One event with its personal fields. The request is recorded. */
export function revealEvent({ stream, seq }: EventKey, reason: string): Promise<EventView> {
  return getEvent({ path: { stream, seq }, query: { reveal: reason } })
}

/** The event of an id; null where the log has none. */
export function eventByIdQuery(id: string) {
  return queryOptions({
    queryKey: [...OPERATOR, 'event', id],
    queryFn: async ({ signal }) => {
      // Pages go by ids: the first event below the next id is the one, if there is one.
      const [found] = await searchEvents({ query: { cursor: idAfter(id), limit: 1 }, signal })
      return found?.event.id === id ? found : null
    },
    staleTime: Infinity,
  })
}

/** The id that follows another. */
export function idAfter(id: string): string {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0').slice(-32)
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The consequences of an event, among the events of its order. */
export function effectsQuery(id: string, correlation: string) {
  return queryOptions({
    queryKey: [...OPERATOR, 'events', 'of', correlation],
    queryFn: ({ signal }) => everyRow<SearchEventsResponses>(EVENTS, { correlation }, signal),
    select: (events) => events.filter(({ event }) => event.causationid === id).reverse(),
  })
}

/** The orders of a checkout are placed together; services' clocks may be so far apart, in milliseconds. */
const PLACED_WITHIN = 10_000

/** The events that placed the orders of a checkout. */
export function checkoutOrdersQuery(checkoutId: string, placedAt: number) {
  const time = (at: number) => new Date(at).toISOString()
  const query = { type: PLACED, q: checkoutId, from: time(placedAt - PLACED_WITHIN), to: time(placedAt + PLACED_WITHIN) }
  return queryOptions({
    queryKey: [...OPERATOR, 'events', 'of checkout', checkoutId],
    queryFn: ({ signal }) => everyRow<SearchEventsResponses>(EVENTS, query, signal),
    staleTime: Infinity,
  })
}

/** Administrators, whose names are shown beside their operations. */
export function adminsQuery() {
  const { key, url } = lists.users
  return queryOptions({
    queryKey: [...key, 'admins'],
    queryFn: ({ signal }) => everyRow<ListUsersResponses>(url, { role: 'admin' }, signal),
  })
}

/** The events of the operators' operations, newest first. */
export function operationsQuery() {
  return eventsQuery({ stream: 'OPERATIONS' }, 100)
}

/** Operations of one page. */
const OPERATIONS_PER_PAGE = 50
const firstOperation: string | null = null

/** The operations that take time, newest first: replays, rebuilds, verifications, republishing. */
export function longOperationsQuery() {
  return infiniteQueryOptions({
    queryKey: [...OPERATOR, 'long-operations'],
    queryFn: ({ pageParam, signal }) => listReplays({ query: { limit: OPERATIONS_PER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: firstOperation,
    getNextPageParam: (last) => (last.length < OPERATIONS_PER_PAGE ? null : (last.at(-1)?.replayId ?? null)),
    staleTime: 0,
  })
}

/** Fetches the changes that a replay would make. */
export async function dryRun(body: ReplayRequest): Promise<DryRun> {
  const answer = await postReplay({ body: { ...body, dryRun: true } })
  if ('replayId' in answer) throw new Error('a dry run has begun a replay')
  return answer
}

export async function beginReplay(body: ReplayRequest): Promise<Begun> {
  const answer = await postReplay({ body: { ...body, dryRun: false } })
  if (!('replayId' in answer)) throw new Error('no replay has begun')
  return answer
}

export function pauseOperation(id: string, reason: string) {
  return pauseReplay({ path: { id }, body: { reason } })
}

export function resumeOperation(id: string, reason: string) {
  return resumeReplay({ path: { id }, body: { reason } })
}

export function cancelOperation(id: string, reason: string) {
  return cancelReplay({ path: { id }, query: { reason } })
}

/** Rebuilds a read model beside the serving one, and compares them; null, since it takes time. */
export async function verifyModel(consumer: string, reason: string, fromFirstEvent = false): Promise<null> {
  await verifyProjection({ path: { consumer }, body: { reason, fromFirstEvent } })
  return null
}

/** Rebuilds a read model and replaces the serving one; null, since it takes time. */
export async function rebuildModel(consumer: string, reason: string, fromFirstEvent = false): Promise<null> {
  await rebuildProjection({ path: { consumer }, body: { reason, fromFirstEvent } })
  return null
}

/** Puts the replaced read model back; returns the service's message. */
export async function rollBackModel(consumer: string, reason: string): Promise<string> {
  return (await rollBackProjection({ path: { consumer }, body: { reason } })).message
}

/** Republishes lost events of one service, or of all (''). */
export function republishFrom(service: string, reason: string) {
  return republish({ body: { reason, ...(service === '' ? {} : { service }) } })
}

/** Moves events older than so many days to the archive; null for the configured window. */
export function archiveNow(afterDays: number | null, reason: string) {
  return archiveEvents({ body: { reason, afterDays } })
}

/** Everything that happened to an order, by its `_id` or its code. */
export function timelineQuery(order: string) {
  return queryOptions({
    queryKey: [...OPERATOR, 'timeline', order],
    queryFn: ({ signal }) => getTimeline({ path: { orderId: order }, signal }),
  })
}

/** The timeline with personal fields. The request is recorded. */
export function revealTimeline(order: string, reason: string): Promise<EventView[]> {
  return getTimeline({ path: { orderId: order }, query: { reveal: reason } })
}

/** Hands a dead letter to its consumer again. */
export function retryDeadLetter(seq: number, reason: string) {
  return postRetry({ path: { seq }, body: { reason } })
}

/** Publishes a new event that replaces a dead letter's. */
export function editDeadLetter(seq: number, reason: string, data: Record<string, unknown>) {
  return postEdit({ path: { seq }, body: { reason, data } })
}

/** Discards a dead letter: its consumer skips the event for good. */
export function discardDeadLetter(seq: number, reason: string) {
  return deleteDeadLetter({ path: { seq }, query: { reason } })
}

/** The later events of an event's aggregate, oldest first. */
export function laterQuery(stream: string, aggregate: string, seq: number) {
  return queryOptions({
    queryKey: [...OPERATOR, 'events', 'after', stream, seq],
    queryFn: ({ signal }) => everyRow<SearchEventsResponses>(EVENTS, { stream, aggregate }, signal),
    select: (events) => events.filter((event) => event.seq > seq).reverse(),
  })
}
