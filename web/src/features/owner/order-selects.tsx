import { NativeSelect } from '@mantine/core'

import type { Driver, Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import { driverName, distanceStep } from './nearby-drivers'
import { isOwnerStatus, isDriverFixed, nextStatus, type OwnerStatus, statuses } from './status'

interface DriverProps {
  order: Order
  /** Undefined until they are fetched. */
  nearbyDrivers: Driver[] | undefined
  selected: string | null
  onSelect: (driverId: string | null) => void
  /** Shown while drivers are free and none is selected. */
  placeholder?: string
}

/** The drivers who are free now with how far they are, and the one who has the order already. */
export function DriverSelect({ order, nearbyDrivers, selected, onSelect, placeholder }: DriverProps) {
  const t = useTexts()
  const assigned = order.assignedDriver
  // First names are not unique.
  const driverLabel = (driver: Driver) =>
    driver.lastName === '' ? t('owner.driverWith', { driver: driverName(driver), vehicle: t(`owner.vehicle${driver.vehicleType}`) }) : driverName(driver)
  const labelOf = (driver: Driver) =>
    driver.distance == null
      ? driverLabel(driver)
      : t('owner.driverAway', { driver: driverLabel(driver), away: t(`owner.away${distanceStep(driver.distance)}`) })
  const data = (nearbyDrivers ?? []).map((driver) => ({
    value: driver._id,
    label: labelOf(driver),
  }))
  if (assigned && !data.some(({ value }) => value === assigned)) {
    data.unshift({ value: assigned, label: order.driverName ?? t('owner.assignedDriver') })
  }
  const unselectedLabel = () => {
    if (nearbyDrivers === undefined) return t('owner.driversLoading')
    if (nearbyDrivers.length === 0) return t('owner.noDriver')
    return placeholder ?? t('owner.selectDriver')
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={t('owner.driverFor', { order: order.orderId })}
      value={selected ?? assigned ?? ''}
      disabled={isDriverFixed(order)}
      data={[{ value: '', label: unselectedLabel() }, ...data]}
      onChange={(event) => {
        onSelect(event.currentTarget.value === '' ? null : event.currentTarget.value)
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
  const next = nextStatus(order.status)
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
