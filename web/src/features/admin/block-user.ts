import { useMutation, useQueryClient } from '@tanstack/react-query'

import { blockUser } from '@/api/generated/sdk.gen'
import type { BlockReason, User } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { changeRows } from '@/api/pages'

interface Change {
  user: User
  reason?: { reason: BlockReason }
}

/** Blocks or unblocks an account: shown at once, and taken back if the service refuses. */
export function useBlockUser() {
  const queries = useQueryClient()
  const blocking = useMutation({
    // Names the new state: a second press on an old page must not undo another administrator's change.
    mutationFn: ({ user, reason }: Change) => blockUser({ path: { email: user.email }, body: { isBlocked: !user.isBlocked, ...reason } }),
    onMutate: async ({ user, reason }) => {
      await queries.cancelQueries({ queryKey: lists.users.key })
      const change = (row: User) => (row._id === user._id ? { ...row, isBlocked: !user.isBlocked, blockReason: reason?.reason ?? null } : row)
      return { restore: changeRows(queries, lists.users.key, change) }
    },
    onError: (error, _, kept) => {
      console.error(error)
      kept?.restore()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: lists.users.key }),
  })
  return {
    block: (user: User, reason: BlockReason) => { blocking.mutate({ user, reason: { reason } }) },
    unblock: (user: User) => { blocking.mutate({ user }) },
    isPending: blocking.isPending,
  }
}
