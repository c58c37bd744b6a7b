import { NativeSelect } from '@mantine/core'

import type { Driver, Order } from '@/api/generated/types.gen'
import { titleCase } from '@/lib/format'

import { isOwnerStatus, nextOf, type OwnerStatus, statuses } from './status'

interface DriverProps {
  order: Order
  drivers: Driver[]
  picked: string | null
  onPick: (driverId: string | null) => void
}

/** The drivers who are free now, and the one who has the order already. */
export function DriverSelect({ order, drivers, picked, onPick }: DriverProps) {
  const free = drivers.filter((driver) => driver.isAvailable || driver._id === order.assignedDriver)
  const data = free.map((driver) => ({ value: driver._id, label: `${driver.firstName} ${driver.lastName}` }))
  const assigned = order.assignedDriver
  const over = order.status === 'cancelled' || order.status === 'delivered'
  // Who has it keeps it, unless it went back to pending.
  const settled = over || (Boolean(assigned) && order.status !== 'pending')
  if (assigned && !free.some((driver) => driver._id === assigned)) {
    data.unshift({ value: assigned, label: order.driverName ?? 'Assigned driver' })
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={`Driver for ${order.orderId}`}
      value={picked ?? assigned ?? ''}
      disabled={settled}
      data={[{ value: '', label: free.length === 0 ? 'No driver available' : 'Select driver' }, ...data]}
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
  const next = nextOf(order.status)
  const item = (status: string) => ({ value: status, label: titleCase(status) })
  const others = statuses.filter((status) => status !== next)
  return (
    <NativeSelect
      size="xs"
      aria-label={`Status of ${order.orderId}`}
      value={order.status}
      disabled={busy || order.status === 'cancelled'}
      data={[
        ...(next === null ? [] : [{ group: 'Next', items: [item(next)] }]),
        { group: 'All', items: others.map(item) },
        ...(order.status === 'cancelled' ? [item('cancelled')] : []),
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget
        if (isOwnerStatus(value)) onSet(value)
      }}
    />
  )
}
