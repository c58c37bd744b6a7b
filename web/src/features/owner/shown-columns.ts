import { useMediaQuery } from '@mantine/hooks'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore } from '@/lib/store'

import { type OwnerStatus, statuses } from './status'

const chosenColumn = jsonStore<OwnerStatus>('boardColumn', v.picklist(statuses), 'pending')

/** Those of the kitchen's mode: what is on its way is out of its hands. */
const KITCHEN: OwnerStatus[] = ['pending', 'confirmed', 'preparing']

/** The columns of the board, and the one that is chosen where a screen has room for one; null where it has room for all. */
export function useShownColumns(inKitchen: boolean) {
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
  const chosen = useSyncExternalStore(chosenColumn.subscribe, chosenColumn.get)
  const columns = inKitchen ? KITCHEN : statuses
  const only = columns.includes(chosen) ? chosen : 'pending'
  return { columns, only: isNarrow ? only : null, choose: chosenColumn.set }
}
