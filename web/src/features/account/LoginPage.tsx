import { Alert, Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

import { login } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { homeOf, paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { toast } from '@/ui/toast'

import { FormCard } from './FormCard'

const schema = z.object({
  email: z.email('Please enter your email.'),
  password: z.string().min(1, 'Please enter your password.'),
})

// Where a guard turned the visitor away, and who has just verified an address.
const stateSchema = z.object({ from: z.string().startsWith('/').optional(), email: z.string().optional() })

export function LoginPage() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const came = stateSchema.safeParse(useLocation().state).data
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { email: came?.email ?? '', password: '' },
  })
  const signIn = useMutation({
    mutationFn: (body: z.infer<typeof schema>) => login({ body }),
    onSuccess: async ({ token, user }) => {
      queries.clear()
      session.start(token, user)
      if (!user.emailVerified) {
        toast.error('Please verify your email first')
        await navigate(paths.verifyEmail(), { replace: true })
        return
      }
      // Staff always start in their panel; a customer goes on where the login came in between.
      const target = user.role === 'customer' ? (came?.from ?? homeOf(user.role)) : homeOf(user.role)
      await navigate(target, { replace: true })
    },
  })

  return (
    <FormCard title="Login" lead="Welcome back.">
      <form onSubmit={(event) => void handleSubmit((values) => { signIn.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {signIn.isError && (
            <Alert color="red" role="alert">
              {messageOf(signIn.error, 'The service cannot be reached. Please try again.')}
            </Alert>
          )}
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            size="md"
            error={formState.errors.email?.message}
            {...register('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            size="md"
            error={formState.errors.password?.message}
            {...register('password')}
          />
          <Button type="submit" size="md" loading={signIn.isPending}>
            Login
          </Button>
          <Anchor component={Link} to={paths.register()} ta="center" size="sm">
            Create an account
          </Anchor>
          <Group justify="center" gap="md">
            <Anchor component={Link} to={paths.restaurantSignup()} size="sm">
              Restaurant Register
            </Anchor>
            <Anchor component={Link} to={paths.driverSignup()} size="sm">
              Register as Driver
            </Anchor>
          </Group>
          <Anchor component={Link} to={paths.items()} ta="center" size="sm">
            Look around without an account
          </Anchor>
        </Stack>
      </form>
    </FormCard>
  )
}
