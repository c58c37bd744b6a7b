import { Alert, Badge, Button, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconBell } from '@tabler/icons-react'
import { useState } from 'react'

import { clockWithSeconds } from '@/lib/format'
import { useLiveState, useSentPositions } from '@/lib/live/hooks'
import { useTexts } from '@/lib/texts'

import { notificationPermission } from './device'
import classes from './driver.module.css'
import { useSharing } from './sharing'

const colours = { paused: 'gray', live: 'leaf', offline: 'amber' }

/** The switch that shares the position, with the state of the sharing. */
export function ShareSwitch() {
  const t = useTexts()
  const { on, set, failure, isNeeded } = useSharing()
  const state = useLiveState()
  const sharingState = !isNeeded ? 'paused' : state === 'live' ? 'live' : 'offline'
  return (
    <Card component="section" withBorder className={classes.card} aria-label={t('driver.liveLocation')}>
      <Stack gap="sm">
        <Group justify="space-between" align="start" wrap="nowrap">
          <Switch
            size="md"
            label={t('driver.share')}
            description={t('driver.shareHint')}
            checked={on}
            onChange={(event) => {
              set(event.currentTarget.checked)
            }}
          />
          {on && (
            <Badge variant="light" className={classes.badge} color={colours[sharingState]} data-testid="sharing-state">
              {t(`driver.${sharingState}`)}
            </Badge>
          )}
        </Group>
        {on && <Sent />}
        {failure !== null && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" py="xs">
            {t(`driver.${failure}`)}
          </Alert>
        )}
        <AllowNotifications />
      </Stack>
    </Card>
  )
}

/** The number of positions that left this device, came back from the platform, and still wait. */
function Sent() {
  const t = useTexts()
  const { isNeeded, acknowledgement } = useSharing()
  const { sent, last, waiting } = useSentPositions()
  const parts: string[] = []
  if (!isNeeded) parts.push(t('driver.nothingShared'))
  else if (last === null && waiting === 0) parts.push(t('driver.firstPosition'))
  if (last !== null) {
    const place = `${last.lat.toFixed(5)}, ${last.lng.toFixed(5)}`
    parts.push(t('driver.sent', { count: sent, time: clockWithSeconds(last.at), place }))
  }
  if (acknowledgement.at !== null) {
    parts.push(t('driver.acknowledged', { count: acknowledgement.count, time: clockWithSeconds(acknowledgement.at) }))
  }
  if (waiting > 0) parts.push(t('driver.kept', { count: waiting }))
  return (
    <Text size="sm" c="dimmed" className={classes.figures} data-testid="sharing-sent" data-acknowledged={acknowledgement.count}>
      {parts.join(' ')}
    </Text>
  )
}

/** Asks for the right to show notifications, once, and only when the driver wants it. */
function AllowNotifications() {
  const t = useTexts()
  const [permission, setPermission] = useState(notificationPermission)
  if (permission !== 'default') return null
  return (
    <Button
      variant="subtle"
      size="xs"
      leftSection={<IconBell size={16} />}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {t('driver.allowNotifications')}
    </Button>
  )
}
