import { Anchor, Button, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'

import { isProblem, messageOf, showAtFields } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { FormCard } from './FormCard'
import { PasswordField } from './PasswordField'
import { PictureField } from './PictureField'
import { filterPhone, filterName, filterInput } from './validation'
import { fields, emptySignUp, schemaOf, signUp, type SignUp, type SignUpRole, vehicles } from './sign-up'

interface Props {
  role: SignUpRole
  title: string
  lead: string
}

/** Opens an account of one role: the same form for customers, restaurants and drivers. */
export function SignUpForm({ role, title, lead }: Props) {
  const t = useTexts()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setValue, setError, control } = useForm<SignUp>({
    resolver: valibotResolver(schemaOf(role)),
    defaultValues: emptySignUp,
  })
  const image = useWatch({ control, name: 'image' })
  const { errors } = formState
  const open = useMutation({
    mutationFn: (values: SignUp) => signUp(role, values),
    onSuccess: async (_, { email }) => {
      toast.success(t('account.registered'))
      await navigate(paths.login(), { state: { email } })
    },
    onError: (error) => {
      showAtFields(error, fields, setError)
    },
  })

  return (
    <FormCard title={title} lead={lead}>
      <form onSubmit={(event) => void handleSubmit((values) => { open.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {open.isError && (
            <FormError>
              {isProblem(open.error)
                ? messageOf(open.error, t('account.emailTaken'))
                : t('account.unreachable')}
            </FormError>
          )}
          <PictureField
            src={image}
            label={t('account.profilePicture')}
            done={t('account.imageUploaded')}
            error={errors.image?.message}
            onUploaded={(url) => {
              setValue('image', url, { shouldValidate: true })
            }}
          />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label={t('account.firstName')} autoComplete="given-name" error={errors.firstName?.message} {...filterInput(filterName)} {...register('firstName')} />
            <TextInput label={t('account.lastName')} autoComplete="family-name" error={errors.lastName?.message} {...filterInput(filterName)} {...register('lastName')} />
          </SimpleGrid>
          <TextInput label={t('account.email')} type="email" autoComplete="username" error={errors.email?.message} {...register('email')} />
          <PasswordField
            label={t('account.password')}
            autoComplete="new-password"
            description={errors.password === undefined ? t('account.passwordHint') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={errors.password?.message}
            {...register('password')}
          />
          <GrowingTextarea label={t('account.address')} autoComplete="street-address" error={errors.address?.message} {...register('address')} />
          <TextInput label={t('account.phone')} type="tel" inputMode="tel" autoComplete="tel" error={errors.phone?.message} {...filterInput(filterPhone)} {...register('phone')} />
          {role === 'delivery' && (
            <SimpleGrid cols={2} spacing="sm">
              <NativeSelect
                label={t('account.vehicleType')}
                data={[{ value: '', label: t('account.select') }, ...vehicles]}
                error={errors.vehicleType?.message}
                {...register('vehicleType')}
              />
              <TextInput label={t('account.driverNic')} error={errors.drNic?.message} {...register('drNic')} />
            </SimpleGrid>
          )}
          <Button type="submit" size="md" loading={open.isPending}>
            {t('account.register')}
          </Button>
          <Text ta="center" size="sm">
            {t('account.alreadyRegistered')}{' '}
            <Anchor component={Link} to={paths.login()} inherit underline="always">
              {t('account.login')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </FormCard>
  )
}
