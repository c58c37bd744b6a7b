import { order, orderList, platform } from '@test/platform'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'

import { deliveredOrdersQuery, openOrdersQuery } from './orders'

const server = platform()
const [oldest, second, third] = ['1', '2', '3'].map((id) => order({ _id: id, orderId: `ORD-${id}` }))

it.each([
  ['open', openOrdersQuery(), 'pending'],
  ['delivered', deliveredOrdersQuery(), 'delivered'],
] as const)('keeps the %s orders behind one that left: their tickets are not drawn again', async (_, query, status) => {
  const queries = new QueryClient()
  const [gone, ...left] = [oldest, second, third].map((one) => order({ ...one, status }))
  if (gone === undefined) throw new Error('three orders')
  server.use(orderList([gone, ...left]))
  const fetched = async () => {
    await queries.fetchQuery({ ...query, staleTime: 0 })
    return queries.getQueryData(query.queryKey) ?? []
  }
  const before = await fetched()
  server.use(orderList(left))
  const now = await fetched()
  expect(now.map((one) => before.indexOf(one))).toEqual([1, 2])
})
