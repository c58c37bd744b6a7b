import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { Order } from '@/api/generated/types.gen'
import { dateTimeText, moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { RefundNote } from '@/ui/RefundNote'

import classes from './account.module.css'

/** An order of the customer's: its picture, dish, restaurant, price, time and code; `children` below them. */
export function OrderEntry({ order, children }: { order: Order; children?: ReactNode }) {
  const t = useTexts()
  return (
    <>
      <Picture src={order.image} alt="" kind="dish" width={72} height={60} />
      <div className={classes.what}>
        <Anchor component={Link} to={paths.bookingConfirmation(order.checkoutId)} fw={600}>
          {t('account.quantityOf', { quantity: order.quantity, name: order.Item_name })}
        </Anchor>
        <Text size="sm" c="dimmed">
          {order.restaurantName} · {moneyText(order.totalAmount)}
        </Text>
        <Text size="xs" c="dimmed">
          {dateTimeText(order.createdAt)} · {order.orderId}
        </Text>
        <RefundNote refunds={order.refunds} />
        {children}
      </div>
    </>
  )
}
