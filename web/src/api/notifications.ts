import { queryOptions } from '@tanstack/react-query'

import { countUnreadNotifications } from './generated/sdk.gen'

/** The key of everything about notifications. */
export const NOTIFICATIONS = ['notifications'] as const

/** The key of the list; the bell fetches it by pages once it is opened. */
export function notificationsQuery() {
  return { queryKey: NOTIFICATIONS }
}

/** The number of unread notifications; stale whenever the list is. */
export function unreadQuery() {
  return queryOptions({
    queryKey: [...NOTIFICATIONS, 'unread'],
    queryFn: async ({ signal }) => (await countUnreadNotifications({ signal })).unread,
  })
}
