import { queryOptions } from '@tanstack/react-query'

import { countUnreadNotifications, listNotifications } from './generated/sdk.gen'

export function notificationsQuery() {
  return queryOptions({ queryKey: ['notifications'], queryFn: ({ signal }) => listNotifications({ signal }) })
}

/** The number of unread notifications; stale whenever the list is. */
export function unreadQuery() {
  return queryOptions({
    queryKey: ['notifications', 'unread'],
    queryFn: async ({ signal }) => (await countUnreadNotifications({ signal })).unread,
  })
}
