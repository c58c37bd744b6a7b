import { Alert, Anchor, Button, NativeSelect, PasswordInput, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import type { SyntheticEvent } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'

import { isProblem, messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { toast } from '@/ui/toast'

import { FormCard } from './FormCard'
import { PictureField } from './PictureField'
import { digitsOf, fields, lettersOf, nobody, PASSWORD_HINT, rulesOf, signUp, type SignUp, type SignUpRole, vehicles } from './sign-up'

interface Props {
  role: SignUpRole
  title: string
  lead: string
}

/** Keeps of what is typed what `kept` leaves of it. */
function typing(kept: (text: string) => string) {
  return {
    onInput: (event: SyntheticEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget
      if (kept(value) !== value) event.currentTarget.value = kept(value)
    },
  }
}

/** Opens an account of one role: the same form for customers, restaurants and drivers. */
export function SignUpForm({ role, title, lead }: Props) {
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setValue, setError, control } = useForm<SignUp>({
    resolver: zodResolver(rulesOf(role)),
    defaultValues: nobody,
  })
  const image = useWatch({ control, name: 'image' })
  const { errors } = formState
  const open = useMutation({
    mutationFn: (values: SignUp) => signUp(role, values),
    onSuccess: async (_, { email }) => {
      toast.success('Registration Successfully')
      await navigate(paths.login(), { state: { email } })
    },
    onError: (error) => {
      if (!isProblem(error)) return
      for (const field of fields) {
        const message = error.fields[field]
        if (message !== undefined) setError(field, { message })
      }
    },
  })

  return (
    <FormCard title={title} lead={lead}>
      <form onSubmit={(event) => void handleSubmit((values) => { open.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {open.isError && (
            <Alert color="red" role="alert">
              {isProblem(open.error)
                ? messageOf(open.error, 'Email Already Added')
                : 'The service cannot be reached. Please try again.'}
            </Alert>
          )}
          <PictureField
            src={image}
            label="Profile picture"
            done="Image uploaded successfully!"
            error={errors.image?.message}
            onUploaded={(url) => {
              setValue('image', url, { shouldValidate: true })
            }}
          />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label="First name" autoComplete="given-name" error={errors.firstName?.message} {...typing(lettersOf)} {...register('firstName')} />
            <TextInput label="Last name" autoComplete="family-name" error={errors.lastName?.message} {...typing(lettersOf)} {...register('lastName')} />
          </SimpleGrid>
          <TextInput label="Email" type="email" autoComplete="username" error={errors.email?.message} {...register('email')} />
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            description={errors.password === undefined ? PASSWORD_HINT : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={errors.password?.message}
            {...register('password')}
          />
          <Textarea label="Address" autosize minRows={2} autoComplete="street-address" error={errors.address?.message} {...register('address')} />
          <TextInput label="Phone" type="tel" inputMode="tel" autoComplete="tel" error={errors.phone?.message} {...typing(digitsOf)} {...register('phone')} />
          {role === 'delivery' && (
            <SimpleGrid cols={2} spacing="sm">
              <NativeSelect
                label="Vehicle type"
                data={[{ value: '', label: 'Select' }, ...vehicles]}
                error={errors.vehicleType?.message}
                {...register('vehicleType')}
              />
              <TextInput label="Driver NIC" error={errors.drNic?.message} {...register('drNic')} />
            </SimpleGrid>
          )}
          <Button type="submit" size="md" loading={open.isPending}>
            Register
          </Button>
          <Text ta="center" size="sm">
            Already registered?{' '}
            <Anchor component={Link} to={paths.login()} inherit>
              Login
            </Anchor>
          </Text>
        </Stack>
      </form>
    </FormCard>
  )
}
