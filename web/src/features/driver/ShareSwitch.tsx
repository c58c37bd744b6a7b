import { Alert, Anchor, Badge, Button, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconBell, IconCloudOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { clockWithSeconds } from '@/lib/format'
import { useLiveState } from '@/lib/live/hooks'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import { notificationPermission } from './device'
import classes from './driver.module.css'
import { useOutboxState } from './outbox/context'
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
        <Waiting />
        {failure !== null && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" py="xs">
            {t(`driver.${failure}`)}
          </Alert>
        )}
        <AllowNotifications />
        <Anchor component={Link} to={paths.driver.available()} size="sm" className={classes.call}>
          {t('driver.lockedPhone')}
        </Anchor>
      </Stack>
    </Card>
  )
}

/** The number of positions that left this device, came back from the platform, and still wait. */
function Sent() {
  const t = useTexts()
  const { isNeeded, acknowledgement } = useSharing()
  const { sent, last, waiting } = useOutboxState()
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
  return (
    <Text size="sm" c="dimmed" className={classes.figures} data-testid="sharing-sent" data-acknowledged={acknowledgement.count}>
      {parts.join(' ')}
    </Text>
  )
}

/** The positions and status changes that wait for the network, and since when. */
function Waiting() {
  const t = useTexts()
  const { waiting, since, changes, isHeld } = useOutboxState()
  const oldest = changes[0]
  const isChangeHeld = isHeld && oldest !== undefined
  if (waiting === 0 && !isChangeHeld) return null
  return (
    <Alert color="amber" variant="light" icon={<IconCloudOff size={18} />} role="status" py="xs" data-testid="outbox">
      {waiting > 0 && since !== null && (
        <Text size="sm" className={classes.figures}>
          {t('driver.kept', { count: waiting })} {t('driver.keptSince', { time: clockWithSeconds(since) })}
        </Text>
      )}
      {isChangeHeld && (
        <>
          <Text size="sm" className={classes.figures}>
            {t('driver.changesWait', { count: changes.length, time: clockWithSeconds(oldest.at) })}
          </Text>
          {changes.map(({ key, orderId, status }) => (
            <Text key={key} size="sm">
              {orderId}: {statusLabel(status)}
            </Text>
          ))}
        </>
      )}
    </Alert>
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
