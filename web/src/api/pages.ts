import { type InfiniteData, infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'

import { client } from './generated/client.gen'

/** Rows of one page. */
const PAGE = 25
/** Rows of one page where all are wanted: the most that a service gives. */
const LARGEST = 500

/** The filters and the order of a list, as its service takes them; empty ones are left out. */
export type ListQuery = Record<string, string | undefined>

/** One page of a list, and where the next begins; null after the last. */
export interface ListPage<Row> {
  rows: Row[]
  next: string | null
  /** Segments of the archive that a search has still to read, where it ended the page early. */
  segmentsLeft: number
}

type Rows<Answers extends { 200: unknown[] }> = Answers[200][number]

const first: string | null = null

/** A list by pages, newest first; `key` is that of the whole list, so that hints make both stale. */
export function pagesQuery<Answers extends { 200: unknown[] }>(
  key: readonly string[],
  url: string,
  query: ListQuery,
  size = PAGE,
) {
  return infiniteQueryOptions({
    queryKey: [...key, 'pages', query],
    queryFn: ({ pageParam, signal }) => pageOf<Answers>(url, query, size, pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (last: ListPage<Rows<Answers>>) => last.next,
    placeholderData: keepPreviousData,
  })
}

/** A list by pages, as far as it is here. */
interface Pages {
  data: { pages: unknown[] } | undefined
  isSuccess: boolean
  hasNextPage: boolean
  fetchNextPage: (options: { cancelRefetch: false }) => Promise<Pages>
}

/**
 * Brings the next page of a list. A change elsewhere may have the list fetched again meanwhile, in place of the next
 * page; it is asked for again then.
 */
export async function fetchNext(list: Pages): Promise<void> {
  const before = list.data?.pages.length ?? 0
  let now = list
  do {
    now = await now.fetchNextPage({ cancelRefetch: false })
  } while (now.isSuccess && now.hasNextPage && (now.data?.pages.length ?? 0) <= before)
}

/** Every row of a list, fetched by the largest pages. */
export async function everyRow<Answers extends { 200: unknown[] }>(
  url: string,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<Rows<Answers>[]> {
  const all: Rows<Answers>[] = []
  let cursor: string | null = null
  do {
    const page: ListPage<Rows<Answers>> = await pageOf<Answers>(url, query, LARGEST, cursor, signal)
    all.push(...page.rows)
    cursor = page.next
  } while (cursor !== null)
  return all
}

/** The first page of a list, as large as its service allows. */
export async function newestRows<Answers extends { 200: unknown[] }>(
  url: string,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ListPage<Rows<Answers>>> {
  return await pageOf<Answers>(url, query, LARGEST, null, signal)
}

/** The page that begins at `cursor`. */
export async function pageOf<Answers extends { 200: unknown[] }>(
  url: string,
  query: ListQuery,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<ListPage<Rows<Answers>>> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const { data, response } = await client.get<{ rows: Answers[200] }, unknown, true, 'fields'>({
    url,
    query: { ...Object.fromEntries(given), limit, ...(cursor === null ? {} : { cursor }) },
    responseStyle: 'fields',
    throwOnError: true,
    ...(signal === undefined ? {} : { signal }),
  })
  return {
    rows: data,
    next: cursorOf(response.headers.get('link')),
    segmentsLeft: Number(response.headers.get('tiffin-segments-left') ?? 0),
  }
}

/** The cursor in `Link: <…?limit=25&cursor=…>; rel="next"`. */
export function cursorOf(link: string | null): string | null {
  const next = link?.split(/,(?=\s*<)/).find((one) => /;\s*rel="?next"?/i.test(one))
  const address = next === undefined ? undefined : /<([^>]*)>/.exec(next)?.[1]
  return address === undefined ? null : new URL(address, window.location.origin).searchParams.get('cursor')
}

/**
 * Changes a row in all pages that are kept, until they are asked for again; the answer puts
 * everything back as it was.
 */
export function changeRows<Row>(queries: QueryClient, key: readonly string[], change: (row: Row) => Row): () => void {
  const filter = { queryKey: [...key, 'pages'] }
  const before = queries.getQueriesData<InfiniteData<ListPage<Row>>>(filter)
  queries.setQueriesData<InfiniteData<ListPage<Row>>>(filter, (kept) =>
    kept === undefined
      ? undefined
      : { ...kept, pages: kept.pages.map((page) => ({ ...page, rows: page.rows.map(change) })) },
  )
  return () => {
    for (const [queryKey, kept] of before) queries.setQueryData(queryKey, kept)
  }
}
