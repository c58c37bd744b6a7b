import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'

import type { ListUsersResponses, User } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { titleCase } from '@/lib/format'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import type { Column } from '@/ui/table/columns'

import { BlockDialog, blockReasonText } from './BlockDialog'
import { useBlockUser } from './block-user'
import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'

const ROLES = ['admin', 'restaurant', 'delivery', 'customer'] as const

/** All accounts. A press on the status blocks one after a question, or unblocks it. */
export function UsersPage() {
  const t = useTexts()
  const address = useListAddress()
  const columns: Column<User>[] = [
    {
      id: 'profile',
      label: t('admin.profile'),
      slot: 'picture',
      cell: (user) => <Picture src={user.image} alt="" kind="person" width={40} height={40} round />,
    },
    { id: 'email', label: t('admin.email'), slot: 'heading', sortable: true, value: (user) => user.email, cell: (user) => user.email },
    {
      id: 'role',
      label: t('admin.role'),
      sortable: true,
      value: (user) => titleCase(user.role),
      cell: (user) => titleCase(user.role),
    },
    { id: 'firstName', label: t('admin.firstName'), sortable: true, value: (user) => user.firstName, cell: (user) => user.firstName },
    { id: 'lastName', label: t('admin.lastName'), sortable: true, value: (user) => user.lastName, cell: (user) => user.lastName },
    { id: 'address', label: t('admin.address'), value: (user) => user.address, cell: (user) => user.address },
    { id: 'phone', label: t('admin.phone'), value: (user) => user.phone, cell: (user) => user.phone },
    {
      id: 'status',
      label: t('admin.status'),
      slot: 'foot',
      sortable: true,
      value: (user) => (user.isBlocked ? t('admin.blocked') : t('admin.active')),
      cell: (user) => <BlockButton user={user} />,
    },
  ]
  const blocked = address.get('isBlocked')
  const list = useList<ListUsersResponses>({
    list: lists.users,
    query: { q: address.q, role: address.get('role') },
    sort: address.sort,
    columns,
    orders: { email: { up: 'email' }, role: { up: 'role' }, firstName: { up: 'name' } },
    clientFilter: blocked === '' ? undefined : (user) => String(user.isBlocked) === blocked,
  })
  return (
    <Listing
      title={t('admin.users')}
      list={list}
      address={address}
      columns={columns}
      filters={[
        { name: 'role', label: t('admin.role'), options: ROLES.map((role) => ({ value: role, label: titleCase(role) })) },
        {
          name: 'isBlocked',
          label: t('admin.status'),
          options: [
            { value: 'false', label: t('admin.active') },
            { value: 'true', label: t('admin.blocked') },
          ],
        },
      ]}
      rowId={(user) => user._id}
      rowName={(user) => user.email}
      empty={t('admin.usersEmpty')}
      file="users"
    />
  )
}

function BlockButton({ user }: { user: User }) {
  const t = useTexts()
  const { block, unblock, isPending } = useBlockUser()
  const [asks, setAsks] = useState(false)
  const isSelf = useSessionUser()?.id === user.id
  const name = isSelf ? t('admin.blockYourself') : t(user.isBlocked ? 'admin.unblockUser' : 'admin.blockUser', { email: user.email })
  const button = (
    <Button
      size="compact-sm"
      miw={92}
      color={user.isBlocked ? 'red.9' : 'leaf'}
      aria-label={name}
      // An administrator can't block their own account.
      disabled={isPending || isSelf}
      onClick={() => {
        if (user.isBlocked) unblock(user)
        else setAsks(true)
      }}
    >
      {user.isBlocked ? t('admin.blocked') : t('admin.active')}
    </Button>
  )
  const close = () => { setAsks(false) }
  return (
    <Stack gap={2} align="start">
      {button}
      {user.isBlocked && user.blockReason != null && (
        <Text size="xs" c="dimmed">
          {t(blockReasonText(user.blockReason))}
        </Text>
      )}
      {asks && (
        <BlockDialog
          user={user}
          onClose={close}
          onBlock={(reason) => {
            close()
            block(user, reason)
          }}
        />
      )}
    </Stack>
  )
}
