import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { CancellationNote } from '@/ui/CancellationNote'

import classes from './board.module.css'
import { cancelledOrdersQuery } from './orders'

const NO_ORDERS: ReadonlySet<string> = new Set()

/** Orders that left the board because another side cancelled them, each until the owner has seen it. */
export function CancelledNotices({ open }: { open: Order[] }) {
  const t = useTexts()
  const { data: cancelled = [] } = useQuery(cancelledOrdersQuery())
  const [onBoard, setOnBoard] = useState(NO_ORDERS)
  const [seen, setSeen] = useState(NO_ORDERS)
  if (open.some(({ _id }) => !onBoard.has(_id))) setOnBoard(new Set([...onBoard, ...open.map(({ _id }) => _id)]))
  const unseen = cancelled.filter(({ _id, cancellation }) => onBoard.has(_id) && !seen.has(_id) && cancellation?.by !== 'restaurant')
  return (
    <Stack gap="xs" role="status" mb={unseen.length > 0 ? 'sm' : 0}>
      {unseen.map((order) => (
        <Paper key={order._id} withBorder p="xs" radius="md" className={classes.cancelled ?? ''} data-testid="cancelled-notice">
          <Group justify="space-between" wrap="nowrap" align="start">
            <div>
              <Text fw={700}>{t('owner.orderCancelled', { order: order.orderId, dish: `${order.quantity} × ${order.Item_name}` })}</Text>
              <CancellationNote reader="staff" cancellation={order.cancellation} />
            </div>
            <Button
              size="xs"
              variant="default"
              flex="none"
              aria-label={t('owner.seenOrder', { order: order.orderId })}
              onClick={() => {
                setSeen(new Set([...seen, order._id]))
              }}
            >
              {t('owner.seen')}
            </Button>
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}
