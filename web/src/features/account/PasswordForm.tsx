import { Button, Stack } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as v from 'valibot'

import { changePassword } from '@/api/generated/sdk.gen'
import { messageOf, showAtFields } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { PasswordField } from './PasswordField'
import { passwordRule, localizedError } from './validation'

const schema = v.object({
  oldPassword: v.pipe(v.string(), v.minLength(1, localizedError('account.passwordRequired'))),
  newPassword: passwordRule,
})

/** The old password, and the one to take its place. */
export function PasswordForm({ userId, onDone }: { userId: string; onDone: () => void }) {
  const t = useTexts()
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { oldPassword: '', newPassword: '' },
  })
  const change = useMutation({
    mutationFn: (body: v.InferOutput<typeof schema>) => changePassword({ path: { id: userId }, body }),
    onSuccess: () => {
      toast.success(t('account.passwordChanged'))
      onDone()
    },
    onError: (error) => {
      showAtFields(error, ['oldPassword', 'newPassword'], setError)
    },
  })
  const { errors } = formState
  return (
    <form onSubmit={(event) => void handleSubmit((values) => { change.mutate(values) })(event)} noValidate>
      <Stack gap="sm">
        {change.isError && <FormError>{messageOf(change.error, t('account.passwordChangeFailed'))}</FormError>}
        <PasswordField
          label={t('account.oldPassword')}
          autoComplete="current-password"
          error={errors.oldPassword?.message}
          {...register('oldPassword')}
        />
        <PasswordField
          label={t('account.newPassword')}
          autoComplete="new-password"
          description={errors.newPassword === undefined ? t('account.passwordHint') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={errors.newPassword?.message}
          {...register('newPassword')}
        />
        <Button type="submit" loading={change.isPending}>
          {t('account.savePassword')}
        </Button>
      </Stack>
    </form>
  )
}
