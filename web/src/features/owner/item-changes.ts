import { useMutation, useQueryClient } from '@tanstack/react-query'

import { itemsOfQuery, itemsQuery } from '@/api/catalogue'
import { deleteItem, updateItem } from '@/api/generated/sdk.gen'
import type { Item } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { confirmByToast } from '@/ui/confirm'
import { toast } from '@/ui/toast'

/** An owner's actions on the items of a restaurant, shown before they are answered. */
export function useItemChanges(restaurantId: string) {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = itemsOfQuery(restaurantId)
  const applyChange = async (to: (items: Item[]) => Item[]) => {
    await queries.cancelQueries({ queryKey })
    const before = queries.getQueryData(queryKey)
    queries.setQueryData(queryKey, (items) => (items === undefined ? undefined : to(items)))
    return { restore: () => queries.setQueryData(queryKey, before) }
  }
  const onSettled = () => queries.invalidateQueries({ queryKey: itemsQuery().queryKey })

  const stock = useMutation({
    mutationFn: ({ item: { _id: id }, available }: { item: Item; available: boolean }) =>
      updateItem({ path: { id }, body: { available } }),
    onMutate: ({ item, available }) =>
      applyChange((items) => items.map((one) => (one._id === item._id ? { ...one, available } : one))),
    onError: (error, _, kept) => {
      kept?.restore()
      toast.error(messageOf(error, t('owner.itemUpdateFailed')))
    },
    onSettled,
  })
  const remove = useMutation({
    mutationFn: ({ _id: id }: Item) => deleteItem({ path: { id } }),
    onMutate: (item) => applyChange((items) => items.filter(({ _id }) => _id !== item._id)),
    onSuccess: () => {
      toast.success(t('owner.itemDeleted'))
    },
    onError: (error, _, kept) => {
      console.error(error)
      kept?.restore()
      toast.error(t('owner.itemDeleteFailed'))
    },
    onSettled,
  })
  return {
    setAvailable: (item: Item, available: boolean) => {
      stock.mutate({ item, available })
    },
    remove: async (item: Item) => {
      if (await confirmByToast(t('owner.sureToDelete'), item.name)) remove.mutate(item)
    },
  }
}
