import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import type { Driver, Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import { DriverSelect, StatusSelect } from './controls'
import type { OwnerStatus } from './status'

export interface EntryProps {
  order: Order
  candidates: Driver[]
  busy: boolean
  onSet: (order: Order, status: OwnerStatus, driverId: string | null) => void
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

/** The common part of a row and a card: the picked driver, the unfolded part, the controls. */
export function useEntry({ order, candidates, busy, onSet, onDelete }: EntryProps) {
  const t = useTexts()
  const [choice, setPicked] = useState<string | null>(null)
  // A driver who was free when picked may have gone since.
  const picked = candidates.some(({ _id }) => _id === choice) ? choice : null
  const [described, setDescribed] = useState(false)
  const [itemised, setItemised] = useState(false)
  const set = (status: OwnerStatus) => {
    onSet(order, status, picked)
  }
  const controls: Record<'driver' | 'status' | 'descriptionToggle' | 'itemsToggle' | 'remove', ReactNode> = {
    driver: <DriverSelect order={order} candidates={candidates} picked={picked} onPick={setPicked} />,
    status: <StatusSelect order={order} busy={busy} onSet={set} />,
    descriptionToggle: (
      <Toggle
        open={described}
        onToggle={setDescribed}
        label={described ? t('owner.hideDescription') : t('owner.showDescription')}
      />
    ),
    itemsToggle: (
      <Toggle open={itemised} onToggle={setItemised} label={itemised ? t('owner.hideItems') : t('owner.viewItems')} />
    ),
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
  return { ...controls, described, setDescribed, itemised, setItemised, setPicked, set }
}
