import type { DeliveryEstimate } from '@/api/generated/types.gen'
import type { MinutesRange } from '@/ui/DeliveryTime'

/** The time in which the last of several deliveries arrives; null unless all of them are known. */
export function latestArrival(estimates: ReadonlyMap<string, DeliveryEstimate>, restaurantIds: string[]): MinutesRange | null {
  const known = restaurantIds.map((id) => estimates.get(id)).filter((one) => one !== undefined)
  if (known.length === 0 || known.length < restaurantIds.length) return null
  return {
    earliestMinutes: Math.max(...known.map(({ earliestMinutes }) => earliestMinutes)),
    latestMinutes: Math.max(...known.map(({ latestMinutes }) => latestMinutes)),
    basis: known.some(({ basis }) => basis === 'straight') ? 'straight' : 'street',
  }
}
