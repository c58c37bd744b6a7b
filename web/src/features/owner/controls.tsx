import { NativeSelect } from '@mantine/core'

import type { Driver, Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import { nameOf, stepOf } from './near'
import { isOwnerStatus, isSettled, nextOf, type OwnerStatus, statuses } from './status'

interface DriverProps {
  order: Order
  candidates: Driver[]
  picked: string | null
  onPick: (driverId: string | null) => void
}

/** The drivers who are free now with how far they are, and the one who has the order already. */
export function DriverSelect({ order, candidates, picked, onPick }: DriverProps) {
  const t = useTexts()
  const assigned = order.assignedDriver
  // First names are not enough to tell drivers apart.
  const calledOf = (driver: Driver) =>
    driver.lastName === '' ? t('owner.driverWith', { driver: nameOf(driver), vehicle: t(`owner.vehicle${driver.vehicleType}`) }) : nameOf(driver)
  const labelOf = (driver: Driver) =>
    driver.distance == null
      ? calledOf(driver)
      : t('owner.driverAway', { driver: calledOf(driver), away: t(`owner.away${stepOf(driver.distance)}`) })
  const data = candidates.map((driver) => ({
    value: driver._id,
    label: labelOf(driver),
  }))
  if (assigned && !data.some(({ value }) => value === assigned)) {
    data.unshift({ value: assigned, label: order.driverName ?? t('owner.assignedDriver') })
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={t('owner.driverFor', { order: order.orderId })}
      value={picked ?? assigned ?? ''}
      disabled={isSettled(order)}
      data={[{ value: '', label: candidates.length === 0 ? t('owner.noDriver') : t('owner.selectDriver') }, ...data]}
      onChange={(event) => {
        onPick(event.currentTarget.value === '' ? null : event.currentTarget.value)
      }}
    />
  )
}

interface StatusProps {
  order: Order
  busy: boolean
  onSet: (status: OwnerStatus) => void
}

/** All statuses, the one that naturally comes next first. */
export function StatusSelect({ order, busy, onSet }: StatusProps) {
  const t = useTexts()
  const next = nextOf(order.status)
  const item = (status: Order['status']) => ({ value: status, label: t(`owner.${status}`) })
  const others = statuses.filter((status) => status !== next)
  return (
    <NativeSelect
      size="xs"
      aria-label={t('owner.statusOf', { order: order.orderId })}
      value={order.status}
      disabled={busy || order.status === 'cancelled'}
      data={[
        ...(next === null ? [] : [{ group: t('owner.next'), items: [item(next)] }]),
        { group: t('owner.all'), items: others.map(item) },
        ...(order.status === 'cancelled' ? [item('cancelled')] : []),
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget
        if (isOwnerStatus(value)) onSet(value)
      }}
    />
  )
}
