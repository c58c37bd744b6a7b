import { Anchor, Button, Group, Stack } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import * as v from 'valibot'

import { login } from '@/api/generated/sdk.gen'
import { isProblem, messageOf, remedyOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'

import { useAfterSignIn } from './use-after-sign-in'
import { EmailField } from './EmailField'
import { FormCard } from './FormCard'
import { GoogleButton } from './GoogleButton'
import { PasswordField } from './PasswordField'
import { emailRule, localizedError } from './validation'

const CodeStep = lazy(async () => ({ default: (await import('./two-step/CodeStep')).CodeStep }))

/** The data that goes with the code, if a sign-in asks for one. */
function challengeOf(error: Error): string | undefined {
  const remedy = isProblem(error) ? remedyOf(error.body) : undefined
  return remedy?.reason === 'second_factor_required' ? remedy.challenge : undefined
}

const schema = v.object({
  email: emailRule('account.emailRequired'),
  password: v.pipe(v.string(), v.minLength(1, localizedError('account.passwordRequired'))),
})

export function LoginPage() {
  const t = useTexts()
  const { email, isOver, onSignedIn } = useAfterSignIn()
  const { register, handleSubmit, formState, control } = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { email, password: '' },
  })
  const typed = useWatch({ control, name: 'email' })
  const [challenge, setChallenge] = useState<string>()
  const askForCode = (error: Error) => {
    setChallenge(challengeOf(error))
    return challengeOf(error) !== undefined
  }
  const signIn = useMutation({
    mutationFn: (body: v.InferOutput<typeof schema>) => login({ body }),
    onSuccess: onSignedIn,
    onError: askForCode,
  })
  if (challenge !== undefined) {
    return (
      <Suspense>
        <CodeStep
          challenge={challenge}
          onSignedIn={onSignedIn}
          onBack={() => {
            setChallenge(undefined)
            signIn.reset()
          }}
        />
      </Suspense>
    )
  }

  const lead = isOver ? (session.wasBlocked() ? 'account.accountBlocked' : 'account.sessionOver') : 'account.loginLead'

  return (
    <FormCard title={t('account.login')} lead={t(lead)}>
      <form onSubmit={(event) => void handleSubmit((values) => { signIn.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {signIn.isError && <FormError>{messageOf(signIn.error, t('account.unreachable'))}</FormError>}
          <EmailField error={formState.errors.email?.message} {...register('email')} />
          <PasswordField
            label={t('account.password')}
            autoComplete="current-password"
            size="md"
            error={formState.errors.password?.message}
            {...register('password')}
          />
          <Anchor component={Link} to={paths.forgotPassword()} state={{ email: typed }} size="sm">
            {t('account.forgotPassword')}
          </Anchor>
          <Button type="submit" size="md" loading={signIn.isPending}>
            {t('account.login')}
          </Button>
          <GoogleButton onSignedIn={onSignedIn} onRefused={askForCode} />
          <Anchor component={Link} to={paths.register()} ta="center" size="sm">
            {t('account.createAccount')}
          </Anchor>
          <Group justify="center" gap="md">
            <Anchor component={Link} to={paths.restaurantSignup()} size="sm">
              {t('account.restaurantSignup')}
            </Anchor>
            <Anchor component={Link} to={paths.driverSignup()} size="sm">
              {t('account.driverSignup')}
            </Anchor>
          </Group>
          <Anchor component={Link} to={paths.items()} ta="center" size="sm">
            {t('account.lookAround')}
          </Anchor>
        </Stack>
      </form>
    </FormCard>
  )
}
