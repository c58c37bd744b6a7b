import { queryOptions, skipToken } from '@tanstack/react-query'

import { getUser } from './generated/sdk.gen'

/** The signed-in user with phone, address and place: the browser keeps none of these. */
export function profileQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['profile', userId],
    queryFn: userId === undefined ? skipToken : ({ signal }) => getUser({ path: { id: userId }, signal }),
  })
}
