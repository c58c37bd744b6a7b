import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { ListAt } from '@/api/lists'
import { everyRow, fetchNext, type ListQuery, pagesQuery } from '@/api/pages'
import { type Column, type Sort, sortRows } from '@/ui/table/columns'

/** Rows that are shown at once of a list that is here as a whole. */
const STEP = 50

/** A list as its page shows it. */
export interface List<Row> {
  rows: Row[]
  isPending: boolean
  error: Error | null
  retry: () => void
  /** Brings more rows; null where all are here. */
  more: (() => void) | null
  isFetchingMore: boolean
  /** Every row that was asked for, those not brought yet among them. */
  fetchAll: () => Promise<Row[]>
}

interface Options<Row> {
  list: ListAt
  /** The filters, as its service takes them. */
  query: ListQuery
  sort: Sort | null
  columns: Column<Row>[]
  /** The filters that the service does not know. */
  clientFilter?: ((row: Row) => boolean) | undefined
  /** The orders that the service knows, upwards and downwards, by column. */
  orders?: Record<string, { up?: string; down?: string }>
}

/**
 * A list by pages, searched and sorted by its service. In an order that the service does not know it is
 * fetched whole and sorted here: sorting only the loaded rows would be wrong.
 */
export function useList<Answers extends { 200: unknown[] }>({
  list: { key, url },
  query,
  sort,
  columns,
  clientFilter,
  orders = {},
}: Options<Answers[200][number]>): List<Answers[200][number]> {
  const order = sort === null ? undefined : orders[sort.by]?.[sort.descending ? 'down' : 'up']
  const isWhole = clientFilter !== undefined || (sort !== null && order === undefined)
  const asked: ListQuery = isWhole ? query : { ...query, sort: order }
  const pages = useInfiniteQuery({ ...pagesQuery<Answers>(key, url, asked), enabled: !isWhole })
  const whole = useQuery({
    queryKey: [...key, 'every', query],
    queryFn: ({ signal }) => everyRow<Answers>(url, query, signal),
    placeholderData: keepPreviousData,
    enabled: isWhole,
  })
  const [shown, setShown] = useState(STEP)
  const filterAndSort = (rows: Answers[200][number][]) => {
    return sortRows(clientFilter === undefined ? rows : rows.filter(clientFilter), columns, isWhole ? sort : null)
  }
  const fetchAll = async () => filterAndSort(await everyRow<Answers>(url, asked))

  const paged = pages.data?.pages.flatMap((page) => page.rows)

  if (isWhole) {
    // Until it is here the pages stay as they are, and so does the keyboard's focus.
    const rows = whole.data === undefined ? (paged ?? []) : filterAndSort(whole.data)
    const more = () => {
      setShown(shown + STEP)
    }
    return {
      ...state(whole),
      isPending: whole.isPending && paged === undefined,
      rows: rows.slice(0, shown),
      more: rows.length > shown ? more : null,
      isFetchingMore: false,
      fetchAll,
    }
  }
  return {
    ...state(pages),
    rows: paged ?? [],
    more: pages.hasNextPage ? () => void fetchNext(pages) : null,
    isFetchingMore: pages.isFetchingNextPage,
    fetchAll,
  }
}

function state({ isPending, error, refetch }: { isPending: boolean; error: Error | null; refetch: () => unknown }) {
  return { isPending, error, retry: () => void refetch() }
}
