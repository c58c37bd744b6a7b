import { Alert, Badge, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

import { clockWithSeconds } from '@/lib/format'
import type { Upstream } from '@/lib/live/client'
import { useLiveState, useUpstream } from '@/lib/live/hooks'

import classes from './driver.module.css'
import { useSharing } from './sharing'

const colours = { Paused: 'gray', Live: 'leaf', Offline: 'yellow' }

function sentText(wanted: boolean, { sent, last, waiting }: Upstream): string {
  const parts: string[] = []
  if (!wanted) parts.push('No delivery is under way, so nothing is shared.')
  else if (last === null && waiting === 0) parts.push('Waiting for the first position.')
  if (last !== null) {
    const place = `${last.lat.toFixed(5)}, ${last.lng.toFixed(5)}`
    parts.push(`${sent} ${sent === 1 ? 'position' : 'positions'} sent, the last at ${clockWithSeconds(last.at)}: ${place}.`)
  }
  if (waiting > 0) parts.push(`${waiting} kept until there is a connection.`)
  return parts.join(' ')
}

/** The switch that streams the position, and what became of it. */
export function ShareSwitch() {
  const { on, set, trouble, wanted } = useSharing()
  const state = useLiveState()
  const upstream = useUpstream()
  const reach = !wanted ? 'Paused' : state === 'live' ? 'Live' : 'Offline'
  return (
    <Card component="section" withBorder className={classes.card} aria-label="Live location">
      <Stack gap="sm">
        <Group justify="space-between" align="start" wrap="nowrap">
          <Switch
            size="md"
            label="Share live location"
            description="Your customers follow you on their map while a delivery is under way."
            checked={on}
            onChange={(event) => {
              set(event.currentTarget.checked)
            }}
          />
          {on && (
            <Badge variant="light" className={classes.badge} color={colours[reach]} data-testid="sharing-state">
              {reach}
            </Badge>
          )}
        </Group>
        {on && (
          <Text size="sm" c="dimmed" role="status" className={classes.figures} data-testid="sharing-sent">
            {sentText(wanted, upstream)}
          </Text>
        )}
        {trouble !== null && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" py="xs">
            {trouble}
          </Alert>
        )}
      </Stack>
    </Card>
  )
}
