import { Button, Group, Modal, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { approveOrder } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

interface Props {
  orders: Order[]
  onClose: () => void
}

/** Shows the orders that are about to be approved, and approves them one after the other. */
export function ApproveOrdersDialog({ orders: asked, onClose }: Props) {
  const t = useTexts()
  const queries = useQueryClient()
  // The list behind loses each order that is approved.
  const [orders] = useState(asked)
  const [done, setDone] = useState(0)
  const approval = useMutation({
    mutationFn: async () => {
      const failed: Order[] = []
      for (const order of orders) {
        try {
          await approveOrder({ path: { orderId: order.orderId } })
        } catch (error) {
          console.error(error)
          failed.push(order)
        }
        setDone((before) => before + 1)
      }
      return failed
    },
    onSuccess: (failed) => {
      if (failed.length === 0) toast.success(t('admin.ordersApproved', { count: orders.length }))
      else toast.error(t('admin.ordersNotApproved', { orders: failed.map(({ orderId }) => orderId).join(', ') }))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: lists.orders.key }),
  })
  const total = orders.reduce((sum, { totalAmount }) => sum + totalAmount, 0)
  const isRunning = approval.isPending
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('admin.approveOrders', { count: orders.length })}
      centered
      radius="lg"
      withCloseButton={!isRunning}
      closeOnEscape={!isRunning}
      closeOnClickOutside={!isRunning}
    >
      <Stack gap="md">
        <ScrollArea.Autosize mah="45vh" type="auto" offsetScrollbars="present" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('admin.orders') }}>
          <Stack gap="xs">
            {orders.map((order) => (
              <div key={order._id}>
                <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
                  <Text size="sm" fw={600}>
                    {order.quantity} × {order.Item_name}
                  </Text>
                  <Text size="sm" miw="max-content">
                    {moneyText(order.totalAmount)}
                  </Text>
                </Group>
                <Text size="xs" c="dimmed">
                  {order.orderId} · {order.restaurantName} · {order.email}
                </Text>
              </div>
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Group justify="space-between">
          <Text fw={700}>{t('admin.total')}</Text>
          <Text fw={700}>{moneyText(total)}</Text>
        </Group>
        {isRunning && <Progress value={(done / orders.length) * 100} aria-label={t('admin.approving')} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isRunning} data-autofocus>
            {t('app.cancel')}
          </Button>
          <Button
            loading={isRunning}
            onClick={() => {
              approval.mutate()
            }}
          >
            {t('admin.approve')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
