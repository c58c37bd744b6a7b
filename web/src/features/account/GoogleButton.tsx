import { Button } from '@mantine/core'
import { IconBrandGoogle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import { googleLogin } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { config } from '@/lib/config'
import type { SessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { requestGoogleToken } from './google'

interface Props {
  onSignedIn: (answer: { token: string; user: SessionUser }) => Promise<void>
  /** True while the page continues in another way. */
  onRefused?: (error: Error) => boolean
}

/** Signs in with Google, where the operator has set that up. */
export function GoogleButton({ onSignedIn, onRefused }: Props) {
  const t = useTexts()
  const clientId = config().googleClientId
  const signIn = useMutation({
    mutationFn: async (id: string) => {
      const accessToken = await requestGoogleToken(id)
      return googleLogin({ body: { accessToken } })
    },
    onSuccess: onSignedIn,
    onError: (error) => {
      if (onRefused?.(error) === true) return
      toast.error(messageOf(error, t('account.googleFailed')))
    },
  })
  if (clientId === null) return null
  return (
    <Button
      variant="default"
      size="md"
      leftSection={<IconBrandGoogle size={18} aria-hidden />}
      loading={signIn.isPending}
      onClick={() => {
        signIn.mutate(clientId)
      }}
    >
      {t('account.googleSignIn')}
    </Button>
  )
}
