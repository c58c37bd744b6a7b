import { useMutation, useQueryClient } from '@tanstack/react-query'

import { ordersUnderWayOfRestaurantQuery } from '@/api/consequences'
import { deleteRestaurant, updateRestaurant } from '@/api/generated/sdk.gen'
import type { Restaurant } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import { SUCCESS_DURATION, confirmDelete, dialog } from '@/ui/confirm'

/** An administrator's actions on a restaurant. */
export function useRestaurantActions({ _id: id }: Restaurant) {
  const t = useTexts()
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: lists.restaurants.key })
  const verification = useMutation({
    // Empty: an administrator's update without fields verifies.
    mutationFn: () => updateRestaurant({ path: { id }, body: {} }),
    onSuccess: ({ message }) => {
      dialog.success(t('admin.verified'), message, SUCCESS_DURATION)
    },
    onError: () => {
      dialog.error(t('admin.oops'), t('admin.restaurantVerifyFailed'))
    },
    onSettled: reload,
  })
  const removal = useMutation({
    mutationFn: () => deleteRestaurant({ path: { id } }),
    onSuccess: ({ message }) => {
      dialog.success(t('admin.deleted'), message, SUCCESS_DURATION)
    },
    onError: () => {
      dialog.error(t('admin.oops'), t('admin.restaurantDeleteFailed'))
    },
    onSettled: reload,
  })
  return {
    isBusy: verification.isPending || removal.isPending,
    verify: () => {
      verification.mutate()
    },
    remove: async () => {
      // A number that can't be had is left out of the question.
      const count = await queries.fetchQuery(ordersUnderWayOfRestaurantQuery(id)).catch(() => undefined)
      const consequence = count === undefined ? undefined : t('admin.ordersUnderWay', { count })
      if (await confirmDelete({ consequence, cancel: t('admin.noCancel') })) removal.mutate()
    },
  }
}
