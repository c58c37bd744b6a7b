import { useState } from 'react'

import type { Driver } from '@/api/generated/types.gen'

/** The driver that is selected for an order, while they are free; null for none. */
export function useSelectedDriver(nearbyDrivers: Driver[] = []) {
  const [selection, setSelected] = useState<string | null>(null)
  // The selected driver may be taken since.
  const selected = nearbyDrivers.some(({ _id }) => _id === selection) ? selection : null
  return [selected, setSelected] as const
}
