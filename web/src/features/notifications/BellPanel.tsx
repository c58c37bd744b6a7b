import { Button, Group, Popover, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { readAllNotifications, readNotification } from '@/api/generated/sdk.gen'
import type { Notification } from '@/api/generated/types.gen'
import { NOTIFICATIONS, unreadQuery } from '@/api/notifications'
import { fetchNext } from '@/api/pages'
import { agoText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { serviceText, useTexts } from '@/lib/texts'
import { Loading } from '@/ui/states'

import classes from './Bell.module.css'
import { BellButton } from './BellButton'
import { markedAsRead, notificationPagesQuery } from './notification-pages'

/** The page behind a notification, on which its reader follows the matter. */
function placeOf(notification: Notification, role: string): string {
  if (role === 'restaurant') return paths.owner.orders()
  if (role === 'delivery') return paths.driver.track()
  if (role === 'admin') return paths.admin.orders()
  return paths.profile(notification.deliveryId ?? undefined)
}

/** The notifications, newest first; open at first, since the reader has just asked for them. */
export function BellPanel({ role }: { role: string }) {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const target = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const rows = useRef<HTMLDivElement>(null)
  const found = useInfiniteQuery(notificationPagesQuery())
  const notifications = found.data?.pages.flatMap((page) => page.rows) ?? []
  const { data: unread = 0 } = useQuery(unreadQuery())

  // The button that was pressed has been replaced by this one; the focus comes back to it.
  useEffect(() => {
    target.current?.focus({ preventScroll: true })
    const frame = requestAnimationFrame(() => {
      setOpen(true)
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [])

  const [list, count] = [notificationPagesQuery().queryKey, unreadQuery().queryKey]
  const read = useMutation({
    /** The notification to mark as read; all of them if it is undefined. */
    mutationFn: async (id?: string) => {
      await (id === undefined ? readAllNotifications() : readNotification({ path: { id } }))
    },
    onMutate: async (id) => {
      await queries.cancelQueries({ queryKey: list })
      const before = { list: queries.getQueryData(list), count: queries.getQueryData(count) }
      queries.setQueryData(list, (pages) => pages && markedAsRead(pages, id))
      queries.setQueryData(count, (now) => (id === undefined ? 0 : Math.max(0, (now ?? 0) - 1)))
      return before
    },
    onError: (_error, _id, before) => {
      queries.setQueryData(list, before?.list)
      queries.setQueryData(count, before?.count)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: NOTIFICATIONS }),
  })

  /** Fetches older ones. Pressed by a key, the button hands the focus to the first of them. */
  const fetchOlder = async (isByKey: boolean) => {
    const before = notifications.length
    await fetchNext(found)
    if (isByKey) rows.current?.querySelectorAll('button').item(before).focus()
  }

  const follow = (one: Notification) => {
    setOpen(false)
    if (!one.read) read.mutate(one._id)
    void navigate(placeOf(one, role))
  }

  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} shadow="md" radius="lg" trapFocus returnFocus>
      <Popover.Target>
        <BellButton
          ref={target}
          unread={unread}
          onClick={() => {
            setOpen(!open)
          }}
        />
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={t('notifications.title')}>
        <Group justify="space-between" px="sm" py={6} gap={4}>
          <Text fw={650}>{t('notifications.title')}</Text>
          {unread > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => {
                read.mutate(undefined)
              }}
            >
              {t('notifications.readAll')}
            </Button>
          )}
        </Group>
        {found.isPending && <Loading />}
        {!found.isPending && notifications.length === 0 && (
          <Text c="dimmed" size="sm" px="sm" pb="sm">
            {found.isError ? t('notifications.failed') : t('notifications.nothingNew')}
          </Text>
        )}
        {notifications.length > 0 && (
          <ScrollArea.Autosize mah={380}>
            <Stack gap={2} ref={rows}>
              {notifications.map((one) => (
                <UnstyledButton
                  key={one._id}
                  className={classes.row}
                  data-unread={!one.read || undefined}
                  onClick={() => {
                    follow(one)
                  }}
                >
                  <Text size="sm">{serviceText({ ...one.coded, message: one.text })}</Text>
                  {one.dishes.length > 0 && one.topic !== 'order_placed' && <Text size="sm">{one.dishes.join(', ')}</Text>}
                  <Text size="xs" c="dimmed">
                    {detailsOf(one).join(' · ')}
                  </Text>
                </UnstyledButton>
              ))}
              {found.hasNextPage && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  loading={found.isFetchingNextPage}
                  onClick={({ detail }) => {
                    void fetchOlder(detail === 0)
                  }}
                >
                  {t('notifications.older')}
                </Button>
              )}
            </Stack>
          </ScrollArea.Autosize>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Its age, and what its sentence does not say. */
function detailsOf({ text, timestamp, restaurantName, orderCode, dishes }: Notification): string[] {
  const details = [agoText(timestamp)]
  if (restaurantName) details.push(restaurantName)
  if (orderCode && dishes.length === 0 && !text.includes(orderCode)) details.push(orderCode)
  return details
}
