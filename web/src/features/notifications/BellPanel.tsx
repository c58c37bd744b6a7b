import { Button, Group, Popover, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { readNotification } from '@/api/generated/sdk.gen'
import type { Notification } from '@/api/generated/types.gen'
import { notificationsQuery } from '@/api/notifications'
import { agoText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import classes from './Bell.module.css'
import { BellButton } from './BellButton'

/** Where a notification leads: to the page on which its reader follows the matter. */
function placeOf(notification: Notification, role: string): string {
  if (role === 'restaurant') return paths.owner.orders()
  if (role === 'delivery') return paths.driver.track()
  if (role === 'admin') return paths.admin.orders()
  return paths.profile(notification.deliveryId ?? undefined)
}

/** The notifications, newest first; open at first, since somebody has just asked for them. */
export function BellPanel({ role }: { role: string }) {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const target = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { data: notifications = [], isError } = useQuery(notificationsQuery())
  const unread = notifications.filter((one) => !one.read)

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

  const { queryKey } = notificationsQuery()
  const read = useMutation({
    mutationFn: async (ids: string[]) => {
      await Promise.all(ids.map(async (id) => await readNotification({ path: { id } })))
    },
    onMutate: async (ids) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (list) => list?.map((one) => (ids.includes(one._id) ? { ...one, read: true } : one)))
      return before
    },
    onError: (_error, _ids, before) => {
      queries.setQueryData(queryKey, before)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })

  const follow = (one: Notification) => {
    setOpen(false)
    if (!one.read) read.mutate([one._id])
    void navigate(placeOf(one, role))
  }

  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} shadow="md" radius="lg" trapFocus returnFocus>
      <Popover.Target>
        <BellButton
          ref={target}
          unread={unread.length}
          onClick={() => {
            setOpen(!open)
          }}
        />
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={t('notifications.title')}>
        <Group justify="space-between" px="sm" py={6} gap={4}>
          <Text fw={650}>{t('notifications.title')}</Text>
          {unread.length > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => {
                read.mutate(unread.map((one) => one._id))
              }}
            >
              {t('notifications.readAll')}
            </Button>
          )}
        </Group>
        {notifications.length === 0 ? (
          <Text c="dimmed" size="sm" px="sm" pb="sm">
            {isError ? t('notifications.failed') : t('notifications.nothingNew')}
          </Text>
        ) : (
          <ScrollArea.Autosize mah={380}>
            <Stack gap={2}>
              {notifications.map((one) => (
                <UnstyledButton
                  key={one._id}
                  className={classes.row}
                  data-unread={!one.read || undefined}
                  onClick={() => {
                    follow(one)
                  }}
                >
                  <Text size="sm">{one.text}</Text>
                  <Text size="xs" c="dimmed">
                    {agoText(one.timestamp)}
                    {one.orderCode ? ` · ${one.orderCode}` : ''}
                  </Text>
                </UnstyledButton>
              ))}
            </Stack>
          </ScrollArea.Autosize>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
