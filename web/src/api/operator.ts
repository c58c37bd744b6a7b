import { queryOptions } from '@tanstack/react-query'

import { listLetters, listStreams } from './generated/sdk.gen'
import type { SearchEventsResponses } from './generated/types.gen'
import { type ListQuery, pagesQuery } from './pages'

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
