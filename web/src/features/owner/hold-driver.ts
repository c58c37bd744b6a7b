import { pickDriver } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { isProblem } from '@/api/problem'

/** True if a driver was refused because another restaurant picked them a moment ago. */
export function isTaken(error: unknown): boolean {
  return isProblem(error) && error.code === 'delivery.driver-taken'
}

/** Holds a driver for orders that are about to be confirmed. Fails only if another restaurant has picked them. */
export async function holdDriver(orders: Order[], driverId: string, knowingly: boolean): Promise<void> {
  try {
    for (const { orderId } of orders) await pickDriver({ path: { id: orderId }, body: { driverId, knowingly } })
  } catch (error) {
    if (isTaken(error)) throw error
    console.warn('The driver is not held; the confirmation alone decides.', error)
  }
}
