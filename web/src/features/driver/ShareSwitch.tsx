import { Alert, Badge, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

import { useLiveState, useUpstream } from '@/lib/live/hooks'
import { clockWithSeconds } from '@/lib/format'

import classes from './driver.module.css'
import { useSharing } from './sharing'

/** The switch that streams the position, and what became of it. */
export function ShareSwitch() {
  const { on, set, trouble, wanted } = useSharing()
  const state = useLiveState()
  const { sent, last, waiting } = useUpstream()
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
            <Badge variant="light" color={!wanted ? 'gray' : state === 'live' ? 'leaf' : 'yellow'} data-testid="sharing-state">
              {!wanted ? 'Paused' : state === 'live' ? 'Live' : 'Offline'}
            </Badge>
          )}
        </Group>
        {on && (
          <Text size="sm" c="dimmed" role="status" className={classes.figures} data-testid="sharing-sent">
            {!wanted && 'No delivery is under way, so nothing is shared. '}
            {wanted && last === null && waiting === 0 && 'Waiting for the first position. '}
            {last !== null && `${sent} ${sent === 1 ? 'position' : 'positions'} sent, the last at ${clockWithSeconds(last.at)}: ${last.lat.toFixed(5)}, ${last.lng.toFixed(5)}. `}
            {waiting > 0 && `${waiting} kept until there is a connection.`}
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
