import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import type { Driver, Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { CancelOrderButton } from '@/ui/CancelOrderButton'
import { RefundOrderButton } from '@/ui/RefundOrderButton'

import { DriverSelect, StatusSelect } from './order-selects'
import { SuggestButton } from './SuggestButton'
import { useSelectedDriver } from './selected-driver'
import type { OwnerStatus } from './status'

export interface OrderControlsProps {
  order: Order
  /** Undefined until they are fetched. */
  nearbyDrivers: Driver[] | undefined
  busy: boolean
  /** True if its driver declined it. */
  isDeclined: boolean
  /** Suggests drivers for the order's ticket; null while it has a driver. */
  onSuggest: ((order: Order) => void) | null
  /** Sets the status of the order's ticket. */
  onSet: (order: Order, status: OwnerStatus, driverId: string | null) => void
  /** Asks for the reason, then cancels. */
  onCancel: (orders: Order[]) => void
  /** Asks for the amount and the reason, then refunds. */
  onRefund: (order: Order) => void
  onDelete: (order: Order) => void
}

interface ToggleProps {
  open: boolean
  onToggle: (open: boolean) => void
  label: string
}

function Toggle({ open, onToggle, label }: ToggleProps) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      mih={24}
      aria-expanded={open}
      onClick={() => {
        onToggle(!open)
      }}
    >
      {label}
    </Button>
  )
}

/** The controls of an order's row or card: the selected driver, the open details, the buttons. */
export function useOrderControls({ order, nearbyDrivers, busy, isDeclined, onSuggest, onSet, onCancel, onRefund, onDelete }: OrderControlsProps) {
  const t = useTexts()
  const [selected, setSelected] = useSelectedDriver(nearbyDrivers)
  const [isDescriptionOpen, setDescriptionOpen] = useState(false)
  const [areItemsOpen, setItemsOpen] = useState(false)
  const setStatus = (status: OwnerStatus) => {
    onSet(order, status, selected)
  }
  const controls: Record<'driver' | 'suggest' | 'status' | 'descriptionToggle' | 'itemsToggle' | 'cancel' | 'refund' | 'remove', ReactNode> = {
    driver: <DriverSelect order={order} nearbyDrivers={nearbyDrivers} selected={selected} onSelect={setSelected} />,
    suggest: onSuggest && <SuggestButton order={order} isDeclined={isDeclined} onSuggest={() => { onSuggest(order) }} />,
    status: <StatusSelect order={order} busy={busy} onSet={setStatus} />,
    descriptionToggle: (
      <Toggle
        open={isDescriptionOpen}
        onToggle={setDescriptionOpen}
        label={isDescriptionOpen ? t('owner.hideDescription') : t('owner.showDescription')}
      />
    ),
    itemsToggle: (
      <Toggle open={areItemsOpen} onToggle={setItemsOpen} label={areItemsOpen ? t('owner.hideItems') : t('owner.viewItems')} />
    ),
    cancel: <CancelOrderButton order={order} label={t('cancellation.cancel')} onCancel={() => { onCancel([order]) }} />,
    refund: <RefundOrderButton order={order} onRefund={() => { onRefund(order) }} />,
    remove: (
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        mih={24}
        aria-label={t('owner.deleteOrder', { order: order.orderId })}
        onClick={() => {
          onDelete(order)
        }}
      >
        {t('owner.delete')}
      </Button>
    ),
  }
  return { ...controls, isDescriptionOpen, setDescriptionOpen, areItemsOpen, setItemsOpen, setSelected, setStatus }
}
