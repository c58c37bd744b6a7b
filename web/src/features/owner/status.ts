import type { Order } from '@/api/generated/types.gen'

export type OwnerStatus = 'pending' | 'confirmed' | 'preparing' | 'dispatched' | 'delivered'

/** The five an owner may set, in the order in which they come. */
export const statuses: OwnerStatus[] = ['pending', 'confirmed', 'preparing', 'dispatched', 'delivered']

export function isOwnerStatus(value: string): value is OwnerStatus {
  return statuses.some((status) => status === value)
}

/** The usual next status; null at the end, and for a cancelled order. */
export function nextStatus(status: string): OwnerStatus | null {
  const at = statuses.findIndex((one) => one === status)
  return at < 0 ? null : (statuses[at + 1] ?? null)
}

/** Confirming needs a driver, picked now or assigned before. */
export function needsDriver(status: OwnerStatus, order: Order, picked: string | null): boolean {
  return status === 'confirmed' && picked === null && !order.assignedDriver
}

/** The driver of an order keeps it, unless it went back to pending. */
export function isDriverFixed(order: Order): boolean {
  const over = order.status === 'cancelled' || order.status === 'delivered'
  return over || (Boolean(order.assignedDriver) && order.status !== 'pending')
}
