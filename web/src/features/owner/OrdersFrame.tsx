import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Order } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { CancelDialog } from '@/ui/CancelDialog'
import { RefundDialog } from '@/ui/RefundDialog'
import { Empty, Failure, Loading } from '@/ui/states'

import { DriverTakenDialog } from './DriverTakenDialog'
import { SuggestDialog } from './SuggestDialog'
import type { OrderActions } from './use-order-actions'

interface Props {
  /** Undefined until they are fetched. */
  orders: Order[] | undefined
  error: Error | null
  retry: () => void
  actions: OrderActions
  children: ReactNode
}

/** The states of a view of orders: loading, failed, empty, or its content. */
export function OrdersFrame({ orders, error, retry, actions, children }: Props) {
  const t = useTexts()
  const { nearbyDrivers, takenDialog, cancelDialog, refundDialog, suggestDialog } = actions
  return (
    <>
      {orders === undefined && error === null && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('owner.failed'))} retry={retry} />}
      {nearbyDrivers.failed && <Failure message={t('owner.driversFailed')} retry={nearbyDrivers.retry} />}
      {nearbyDrivers.unverified && <Text size="sm">{t('owner.driversAfterVerifying')}</Text>}
      {orders?.length === 0 && <Empty text={t('owner.noOrders')} art="empty-list" hint={t('owner.noOrdersHint')} />}
      {orders !== undefined && orders.length > 0 && children}
      {takenDialog !== null && <DriverTakenDialog {...takenDialog} />}
      {suggestDialog !== null && <SuggestDialog {...suggestDialog} />}
      {cancelDialog !== null && <CancelDialog by="restaurant" {...cancelDialog} />}
      {refundDialog !== null && <RefundDialog {...refundDialog} />}
    </>
  )
}
