import { useMutation, useQueryClient } from '@tanstack/react-query'

import { changeInquiry, deleteInquiry, openInquiry } from '@/api/generated/sdk.gen'
import type { Inquiry } from '@/api/generated/types.gen'
import { inquiriesQuery } from '@/api/inquiries'
import { isProblem, messageOf } from '@/api/problem'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

/** The longest message, in characters. */
export const MAX_LENGTH = 2000

/** Sends an inquiry; the field shows the reason of a refusal. */
export function useOpenInquiry(onRefused: (message: string) => void) {
  const t = useTexts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (message: string) => {
      if (session.token() === null) throw new Error(t('contact.loginFirst'))
      await openInquiry({ body: { message } })
    },
    onSuccess: async () => {
      toast.success(t('contact.sent'))
      await queries.invalidateQueries({ queryKey: inquiriesQuery().queryKey })
    },
    onError: (error) => {
      const isSignedOut = session.token() === null || (isProblem(error) && error.status === 401)
      onRefused(isSignedOut ? t('contact.loginFirst') : messageOf(error, t('contact.sendFailed')))
    },
  })
}

/** Changes the list at once. A refusal restores it and shows `failed`. */
function useOptimisticChange<T>(call: (change: T) => Promise<unknown>, apply: (list: Inquiry[], change: T) => Inquiry[], failed: string) {
  const queries = useQueryClient()
  const { queryKey } = inquiriesQuery()
  return useMutation({
    mutationFn: call,
    onMutate: async (change: T) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      if (before !== undefined) queries.setQueryData(queryKey, apply(before, change))
      return before
    },
    onError: (_, __, before) => {
      queries.setQueryData(queryKey, before)
      toast.error(failed)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

/** Changes the text of an inquiry. */
export function useEditInquiry() {
  const t = useTexts()
  return useOptimisticChange<{ id: string; message: string }>(
    ({ id, message }) => changeInquiry({ path: { id }, body: { message } }),
    (list, { id, message }) => list.map((one) => (one._id === id ? { ...one, message } : one)),
    t('contact.updateFailed'),
  )
}

/** Deletes an inquiry. */
export function useDeleteInquiry() {
  const t = useTexts()
  return useOptimisticChange<string>(
    (id) => deleteInquiry({ path: { id } }),
    (list, id) => list.filter((one) => one._id !== id),
    t('contact.deleteFailed'),
  )
}
