import { useMutation, useQueryClient } from '@tanstack/react-query'

import { approveReview, deleteReview } from '@/api/generated/sdk.gen'
import type { Review } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import { confirmDelete, dialog } from '@/ui/confirm'

/** An administrator's actions on a review. */
export function useReviewActions({ _id: id }: Review) {
  const t = useTexts()
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: lists.reviews.key })
  const approval = useMutation({
    mutationFn: () => approveReview({ path: { id } }),
    onError: (error) => {
      console.error(error)
    },
    onSettled: reload,
  })
  const removal = useMutation({
    mutationFn: () => deleteReview({ path: { id } }),
    onSuccess: () => {
      dialog.success(t('admin.deleted'), t('admin.reviewDeleted'))
    },
    onError: () => {
      dialog.error(t('admin.errorLoud'), t('admin.reviewDeleteFailed'))
    },
    onSettled: reload,
  })
  return {
    isBusy: approval.isPending || removal.isPending,
    approve: () => {
      approval.mutate()
    },
    remove: async () => {
      if (await confirmDelete()) removal.mutate()
    },
  }
}
