import { queryOptions } from '@tanstack/react-query'

import { getEvent, listLetters, listStreams, searchEvents } from './generated/sdk.gen'
import type { EventView, ListUsersResponses, SearchEventsResponses } from './generated/types.gen'
import { lists } from './lists'
import { everyRow, type ListQuery, pagesQuery } from './pages'

/** Everything that the operators' console shows is kept under this key. */
export const OPERATOR = ['operator']
const EVENTS = '/api/v1/operator/events'

/** Streams, consumers and outboxes, as they stand. */
export function standingQuery() {
  return queryOptions({ queryKey: [...OPERATOR, 'standing'], queryFn: ({ signal }) => listStreams({ signal }) })
}

/** Events that match, newest first. */
export function eventsQuery(query: ListQuery, size = 50) {
  return pagesQuery<SearchEventsResponses>([...OPERATOR, 'events'], EVENTS, query, size)
}

/** What consumers could not handle and nobody has settled. */
export function lettersQuery() {
  return queryOptions({ queryKey: [...OPERATOR, 'letters'], queryFn: ({ signal }) => listLetters({ signal }) })
}

interface Place {
  stream: string
  seq: number
}

/** One event, personal fields masked. */
export function eventQuery({ stream, seq }: Place) {
  return queryOptions({
    queryKey: [...OPERATOR, 'event', stream, seq],
    queryFn: ({ signal }) => getEvent({ path: { stream, seq }, signal }),
    // What has happened stays as it was.
    staleTime: Infinity,
  })
}

/** The same with its personal fields. That it was asked for is kept. */
export function revealEvent({ stream, seq }: Place, reason: string): Promise<EventView> {
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

/** What an event led to, among those of its order. */
export function effectsQuery(id: string, correlation: string) {
  return queryOptions({
    queryKey: [...OPERATOR, 'events', 'of', correlation],
    queryFn: ({ signal }) => everyRow<SearchEventsResponses>(EVENTS, { correlation }, signal),
    select: (events) => events.filter(({ event }) => event.causationid === id).reverse(),
  })
}

/** Administrators, whose names stand beside what they had done. */
export function adminsQuery() {
  const { key, url } = lists.users
  return queryOptions({
    queryKey: [...key, 'admins'],
    queryFn: ({ signal }) => everyRow<ListUsersResponses>(url, { role: 'admin' }, signal),
  })
}
