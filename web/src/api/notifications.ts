import { queryOptions } from '@tanstack/react-query'

import { listNotifications } from './generated/sdk.gen'

export function notificationsQuery() {
  return queryOptions({ queryKey: ['notifications'], queryFn: ({ signal }) => listNotifications({ signal }) })
}
