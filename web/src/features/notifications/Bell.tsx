import { ActionIcon, Indicator, Popover, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { readNotification } from '@/api/generated/sdk.gen'
import type { Notification } from '@/api/generated/types.gen'
import { notificationsQuery } from '@/api/notifications'
import { agoText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'

import classes from './Bell.module.css'

/** Where a notification leads: to the page on which its reader follows the matter. */
function placeOf(notification: Notification, role: string): string {
  if (role === 'restaurant') return paths.owner.orders()
  if (role === 'delivery') return paths.driver.track()
  if (role === 'admin') return paths.admin.orders()
  return paths.profile(notification.deliveryId ?? undefined)
}

export function Bell() {
  const user = useSessionUser()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const list = useQuery({ ...notificationsQuery(), enabled: user?.emailVerified === true })
  const read = useMutation({
    mutationFn: (id: string) => readNotification({ path: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: notificationsQuery().queryKey }),
  })
  if (user === null) return null

  const notifications = list.data ?? []
  const unread = notifications.filter((one) => !one.read).length
  const follow = (one: Notification) => {
    setOpen(false)
    if (!one.read) read.mutate(one._id)
    void navigate(placeOf(one, user.role))
  }

  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} shadow="md" radius="lg" trapFocus returnFocus>
      <Indicator label={unread > 99 ? '99+' : unread} size={17} offset={6} disabled={unread === 0} color="ember">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
            onClick={() => {
              setOpen(!open)
            }}
          >
            <IconBell size={21} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={6}>
        <Text fw={650} px="sm" py={6}>
          Notifications
        </Text>
        {notifications.length === 0 ? (
          <Text c="dimmed" size="sm" px="sm" pb="sm">
            {list.isError ? 'Notifications could not be loaded.' : 'Nothing new.'}
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
