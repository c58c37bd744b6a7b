import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import type { Order, PrintMark } from '@/api/generated/types.gen'
import { printAgain, printMarks } from '@/api/print-jobs'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

const key = ['print-marks']
/** Milliseconds between two looks. Printers send no hints. */
const PRINTING = 5_000
/** The same while no restaurant prints. */
const IDLE = 60_000

/** The printing of each ticket of the last day, by checkout and restaurant. */
export function printMarksQuery() {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Map<string, PrintMark>> => {
      const marks = await printMarks(signal)
      return new Map(marks.map((mark) => [keyOf(mark), mark]))
    },
    refetchInterval: ({ state }) => (state.data === undefined || state.data.size === 0 ? IDLE : PRINTING),
  })
}

export function keyOf({ checkoutId, restaurantId }: Pick<Order, 'checkoutId' | 'restaurantId'>): string {
  return `${checkoutId} ${restaurantId}`
}

/** Has the ticket of an order printed again. */
export function useReprint() {
  const t = useTexts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ orderId }: Order) => printAgain(orderId),
    onError: (error) => {
      console.error(error)
      toast.error(messageOf(error, t('owner.printAgainFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
