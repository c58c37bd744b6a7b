import { useMutation, useQueryClient } from '@tanstack/react-query'

import { changeInquiry, deleteInquiry } from '@/api/generated/sdk.gen'
import type { Inquiry } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import { confirmDelete, dialog } from '@/ui/confirm'

/** An administrator's actions on an inquiry. */
export function useInquiryActions({ _id: id }: Inquiry) {
  const t = useTexts()
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: lists.inquiries.key })
  const answer = useMutation({
    mutationFn: (response: string) => changeInquiry({ path: { id }, body: { response } }),
    onSuccess: () => {
      dialog.success(t('admin.success'), t('admin.responseUpdated'))
    },
    onError: () => {
      dialog.error(t('admin.error'), t('admin.responseFailed'))
    },
    onSettled: reload,
  })
  const removal = useMutation({
    mutationFn: () => deleteInquiry({ path: { id } }),
    onSuccess: () => {
      dialog.success(t('admin.deleted'), t('admin.inquiryDeleted'))
    },
    onError: () => {
      dialog.error(t('admin.error'), t('admin.inquiryDeleteFailed'))
    },
    onSettled: reload,
  })
  return {
    isBusy: answer.isPending || removal.isPending,
    /** `done` is called once the list that is shown has the answer. */
    respond: (response: string, done: () => void) => {
      answer.mutate(response, { onSuccess: () => void reload().then(done) })
    },
    remove: async () => {
      if (await confirmDelete({ warning: t('admin.inquiryDeleteWarning') })) removal.mutate()
    },
  }
}
