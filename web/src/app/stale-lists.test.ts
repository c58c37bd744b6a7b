import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { StaleLists } from './stale-lists'

const orders = () => ({ queryKey: ['orders'] })
const drivers = () => ({ queryKey: ['drivers'] })
const leave: (() => void)[] = []
let queries: QueryClient
let lists: StaleLists

beforeEach(() => {
  vi.useFakeTimers()
  queries = new QueryClient()
  lists = new StaleLists(queries)
})

afterEach(() => {
  for (const one of leave.splice(0)) one()
  vi.useRealTimers()
})

/** A list on the page that takes so long to fetch. */
async function shown(list: typeof orders, milliseconds: number) {
  const queryFn = vi.fn(() => new Promise<number>((resolve) => setTimeout(resolve, milliseconds, Date.now())))
  const observer = new QueryObserver(queries, { queryKey: [...list().queryKey, 'open'], queryFn, staleTime: Infinity })
  leave.push(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(milliseconds)
  queryFn.mockClear()
  return queryFn
}

it('fetches a list once for hints that come together', async () => {
  const fetched = await shown(orders, 20)
  lists.add([orders])
  await vi.advanceTimersByTimeAsync(50)
  lists.add([orders])
  await vi.advanceTimersByTimeAsync(50)
  expect(fetched).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetched).toHaveBeenCalledOnce()
})

it('fetches a list once more for all hints that come meanwhile, and misses none', async () => {
  const fetched = await shown(orders, 300)
  for (let hint = 0; hint < 20; hint += 1) {
    lists.add([orders])
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(fetched).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetched).toHaveBeenCalledTimes(2)
  lists.add([orders])
  await vi.advanceTimersByTimeAsync(100)
  expect(fetched).toHaveBeenCalledTimes(3)
})

it('lets a fetch end that hints come into, however many', async () => {
  await shown(orders, 900)
  const before = queries.getQueryData<number>(['orders', 'open']) ?? 0
  for (let hint = 0; hint < 30; hint += 1) {
    lists.add([orders])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(queries.getQueryData<number>(['orders', 'open'])).toBeGreaterThan(before)
})

it('leaves most of the time to the page where a list takes long', async () => {
  const fetched = await shown(orders, 200)
  for (let elapsed = 0; elapsed < 3_900; elapsed += 50) {
    lists.add([orders])
    await vi.advanceTimersByTimeAsync(50)
  }
  // 200 of each 800 ms are for fetches.
  expect(fetched).toHaveBeenCalledTimes(5)
})

it('fetches the lists of a following service again, in case it was late', async () => {
  const fetched = await shown(orders, 20)
  lists.addFollowing([orders])
  await vi.advanceTimersByTimeAsync(100)
  expect(fetched).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(fetched).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(fetched).toHaveBeenCalledTimes(3)
})

it('fetches a list once a change of it has been sent', async () => {
  const fetched = await shown(orders, 20)
  const mutation = queries.getMutationCache().build(queries, {
    mutationKey: orders().queryKey,
    mutationFn: () => new Promise((resolve) => setTimeout(resolve, 1_000)),
  })
  void mutation.execute(undefined)
  lists.add([orders])
  await vi.advanceTimersByTimeAsync(900)
  expect(fetched).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(300)
  expect(fetched).toHaveBeenCalledOnce()
})

it('does not wait forever for a fetch that never ends', async () => {
  const fetched = await shown(orders, 20)
  fetched.mockImplementation(() => new Promise(() => {}))
  lists.add([orders])
  await vi.advanceTimersByTimeAsync(100)
  lists.add([orders])
  await vi.advanceTimersByTimeAsync(6_000)
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('fetches each list by itself', async () => {
  const [all, some] = [await shown(orders, 3_000), await shown(drivers, 20)]
  lists.add([orders, drivers])
  await vi.advanceTimersByTimeAsync(600)
  lists.add([orders, drivers])
  await vi.advanceTimersByTimeAsync(100)
  expect(all).toHaveBeenCalledOnce()
  expect(some).toHaveBeenCalledTimes(2)
})
