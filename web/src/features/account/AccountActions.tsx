import { Button, Card, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconLogout, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { deleteUser } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { confirmByToast } from '@/ui/confirm'
import { toast } from '@/ui/toast'

import classes from './account.module.css'
import { PasswordForm } from './PasswordForm'
import { useSignOut } from './sign-out'
import { ProofPrompt } from './two-step/ProofPrompt'

/** The actions on the user's own account: a new password, signing out, closing it. */
export function AccountActions({ userId }: { userId: string }) {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signOut = useSignOut()
  const [changing, password] = useDisclosure(false)
  const close = useMutation({
    mutationFn: () => deleteUser({ path: { id: userId } }),
    onSuccess: async () => {
      // The page is left first, so that its guard does not ask for a login.
      await navigate(paths.home(), { replace: true })
      session.clear()
      queries.clear()
      toast.success(t('account.accountRemoved'))
    },
    onError: (error) => {
      toast.error(t('account.deleteFailed'))
      // An order under way keeps an account open.
      const reason = messageOf(error, '')
      if (reason !== '') toast.error(reason)
    },
  })
  const askFirst = async () => {
    if (await confirmByToast(t('account.deleteQuestion'))) close.mutate()
  }
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('account.account')}>
      <ProofPrompt />
      <Stack gap="sm">
        <Button
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
          aria-expanded={changing}
          onClick={password.toggle}
        >
          {t('account.changePassword')}
        </Button>
        {changing && <PasswordForm userId={userId} onDone={password.close} />}
        <Button variant="default" leftSection={<IconLogout size={18} aria-hidden />} onClick={() => void signOut()}>
          {t('account.logout')}
        </Button>
        <Button
          variant="light"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden />}
          loading={close.isPending}
          onClick={() => void askFirst()}
        >
          {t('account.deleteAccount')}
        </Button>
      </Stack>
    </Card>
  )
}
