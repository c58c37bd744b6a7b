import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import * as v from 'valibot'

import { forgotPassword } from '@/api/generated/sdk.gen'
import { messageOf, showAtFields } from '@/api/problem'
import { paths } from '@/lib/paths'
import { language, useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'

import { useAfterSignIn } from './use-after-sign-in'
import { EmailField } from './EmailField'
import { FormCard } from './FormCard'
import { emailRule } from './validation'

const schema = v.object({ email: emailRule('account.emailInvalid') })

/** Asks for the mail with the link to a new password. */
export function ForgotPasswordPage() {
  const t = useTexts()
  const { email } = useAfterSignIn()
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { email },
  })
  const requestReset = useMutation({
    mutationFn: (body: v.InferOutput<typeof schema>) => forgotPassword({ body: { ...body, language: language() } }),
    onError: (error) => {
      showAtFields(error, ['email'], setError)
    },
  })
  return (
    <FormCard title={t('account.forgotPassword')} lead={t('account.forgotLead')}>
      <form onSubmit={(event) => void handleSubmit((values) => { requestReset.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {requestReset.isSuccess && (
            <Alert color="leaf" role="status">
              {t('account.resetRequested')} {t('account.forgotHint')}
            </Alert>
          )}
          {requestReset.isError && <FormError>{messageOf(requestReset.error, t('account.unreachable'))}</FormError>}
          <EmailField error={formState.errors.email?.message} {...register('email')} />
          <Button type="submit" size="md" variant={requestReset.isSuccess ? 'light' : 'filled'} loading={requestReset.isPending}>
            {t(requestReset.isSuccess ? 'account.forgotAgain' : 'account.forgotSend')}
          </Button>
          <Anchor component={Link} to={paths.login()} ta="center" size="sm">
            {t('account.backToLogin')}
          </Anchor>
        </Stack>
      </form>
    </FormCard>
  )
}
