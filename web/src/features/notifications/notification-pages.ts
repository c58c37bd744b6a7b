import type { InfiniteData } from '@tanstack/react-query'

import type { ListNotificationsResponses, Notification } from '@/api/generated/types.gen'
import { NOTIFICATIONS } from '@/api/notifications'
import { type ListPage, pagesQuery } from '@/api/pages'

type Pages = InfiniteData<ListPage<Notification>>

/** The notifications by pages, newest first. */
export function notificationPagesQuery() {
  return pagesQuery<ListNotificationsResponses>(NOTIFICATIONS, '/api/v1/notification', {})
}

/** The pages with a notification marked as read; with all of them if `id` is undefined. */
export function markedAsRead(pages: Pages, id: string | undefined): Pages {
  const marked = (one: Notification) => (id === undefined || one._id === id ? { ...one, read: true } : one)
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, rows: page.rows.map(marked) })) }
}
