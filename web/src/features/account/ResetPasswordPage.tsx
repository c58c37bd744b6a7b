import { Button, Stack } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import * as v from 'valibot'

import { resetPassword } from '@/api/generated/sdk.gen'
import { isProblem, messageOf, showAtFields } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { FormCard } from './FormCard'
import { PasswordField } from './PasswordField'
import { passwordRule } from './validation'

const schema = v.object({ password: passwordRule })

/** The token of the mailed link. It leaves the address at once: neither history nor bookmarks keep it. */
function useMailedToken(): string {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const carried = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  const [token, setToken] = useState(carried)
  // Another mail's link, opened in the same tab.
  if (carried !== '' && carried !== token) setToken(carried)
  useEffect(() => {
    if (carried !== '') void navigate({ hash: '' }, { replace: true })
  }, [carried, navigate])
  return token
}

/** Sets a new password with the link of a mail. */
export function ResetPasswordPage() {
  const token = useMailedToken()
  return <ResetForm key={token} token={token} />
}

function ResetForm({ token }: { token: string }) {
  const t = useTexts()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { password: '' },
  })
  const reset = useMutation({
    mutationFn: (body: v.InferOutput<typeof schema>) => resetPassword({ body: { ...body, token } }),
    onSuccess: async () => {
      await navigate(paths.login(), { replace: true })
      toast.success(t('account.passwordChanged'))
    },
    onError: (error) => {
      showAtFields(error, ['password'], setError)
    },
  })
  const isOver = isProblem(reset.error) && reset.error.fields.token !== undefined
  if (token === '' || isOver) {
    return (
      <FormCard title={t('account.resetTitle')}>
        <FormError>{messageOf(reset.error, t('account.linkIncomplete'))}</FormError>
        <Button component={Link} to={paths.forgotPassword()} size="md">
          {t('account.askForLink')}
        </Button>
      </FormCard>
    )
  }
  const { errors } = formState
  return (
    <FormCard title={t('account.resetTitle')} lead={t('account.resetLead')}>
      <form onSubmit={(event) => void handleSubmit((values) => { reset.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {reset.isError && <FormError>{messageOf(reset.error, t('account.unreachable'))}</FormError>}
          <PasswordField
            label={t('account.newPassword')}
            autoComplete="new-password"
            size="md"
            description={errors.password === undefined ? t('account.passwordHint') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={errors.password?.message}
            {...register('password')}
          />
          <Button type="submit" size="md" loading={reset.isPending}>
            {t('account.savePassword')}
          </Button>
        </Stack>
      </form>
    </FormCard>
  )
}
