import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { valibotResolver } from '@hookform/resolvers/valibot'
import { IconMapPin } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import * as v from 'valibot'

import { updateUser } from '@/api/generated/sdk.gen'
import type { User } from '@/api/generated/types.gen'
import { showAtFields } from '@/api/problem'
import { profileQuery } from '@/api/profile'
import { currentPlace } from '@/lib/geolocation'
import { paths } from '@/lib/paths'
import { session, type SessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { LocateButton } from '@/ui/LocateButton'
import { Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import classes from './account.module.css'
import { PictureField } from './PictureField'
import { addressRule, filterPhone, filterName, nameRule, phoneRule, filterInput } from './validation'

const schema = v.object({
  firstName: nameRule,
  lastName: nameRule,
  phone: phoneRule,
  address: addressRule,
  lat: v.nullish(v.number()),
  lng: v.nullish(v.number()),
})

type Values = v.InferOutput<typeof schema>

const fields = ['firstName', 'lastName', 'phone', 'address'] as const

interface Props {
  user: SessionUser
  /** True for customers, who can set their delivery address on the map. */
  isCustomer?: boolean
}

/** The form of the user's own details. */
export function ProfileForm(props: Props) {
  const t = useTexts()
  const { data, isError, refetch } = useQuery(profileQuery(props.user.id))
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('account.yourDetails')}>
      {data !== undefined && <Fields {...props} profile={data} />}
      {isError && data === undefined && <Failure message={t('account.profileRestoreFailed')} retry={() => void refetch()} />}
      {!isError && data === undefined && <Loading text={t('account.loadingProfile')} />}
    </Card>
  )
}

function Fields({ user, profile, isCustomer = true }: Props & { profile: User }) {
  const t = useTexts()
  const queries = useQueryClient()
  const storeUser = (saved: User) => {
    session.setUser(saved)
    queries.setQueryData(profileQuery(saved.id).queryKey, saved)
  }
  const { register, handleSubmit, formState, setValue, setError, control } = useForm<Values>({
    resolver: valibotResolver(schema),
    defaultValues: {
      firstName: profile.firstName,
      lastName: profile.lastName,
      phone: profile.phone,
      address: profile.address,
      lat: profile.lat ?? null,
      lng: profile.lng ?? null,
    },
  })
  const update = useMutation({
    mutationFn: (body: Values) => updateUser({ path: { id: user.id }, body }),
    onSuccess: (answer) => {
      storeUser(answer.user)
      toast.success(t('account.profileUpdated'))
    },
    onError: (error) => {
      showAtFields(error, fields, setError)
      toast.error(t('account.profileFailed'))
    },
  })
  const locate = useMutation({
    mutationFn: currentPlace,
    onSuccess: ({ lat, lng }) => {
      setValue('lat', lat, { shouldDirty: true })
      setValue('lng', lng, { shouldDirty: true })
      toast.success(t('account.locationFetched'))
    },
    onError: () => {
      toast.error(t('account.geolocationFailed'))
    },
  })
  const wear = async (image: string) => {
    const answer = await updateUser({ path: { id: user.id }, body: { image } })
    storeUser(answer.user)
  }
  const [lat, lng] = useWatch({ control, name: ['lat', 'lng'] })
  const { errors } = formState

  return (
    <form onSubmit={(event) => void handleSubmit((values) => { update.mutate(values) })(event)} noValidate>
      <Stack gap="md">
        <PictureField src={user.image} label={t('account.profilePicture')} done={t('account.imageUploadedProfile')} onUploaded={wear} />
        <SimpleGrid cols={2} spacing="sm">
          <TextInput label={t('account.firstName')} autoComplete="given-name" error={errors.firstName?.message} {...filterInput(filterName)} {...register('firstName')} />
          <TextInput label={t('account.lastName')} autoComplete="family-name" error={errors.lastName?.message} {...filterInput(filterName)} {...register('lastName')} />
        </SimpleGrid>
        <TextInput label={t('account.email')} type="email" value={user.email} readOnly variant="filled" />
        <TextInput label={t('account.phone')} type="tel" autoComplete="tel" error={errors.phone?.message} {...filterInput(filterPhone)} {...register('phone')} />
        <GrowingTextarea label={t('account.address')} autoComplete="street-address" error={errors.address?.message} {...register('address')} />
        <Group gap="sm">
          <LocateButton label={t('account.useCurrentLocation')} isLocating={locate.isPending} onLocate={() => { locate.mutate() }} />
          {isCustomer && (
            <Anchor component={Link} to={paths.location()} size="sm" className={classes.iconLink}>
              <IconMapPin size={16} aria-hidden />
              {t('account.setOnMap')}
            </Anchor>
          )}
          {lat != null && lng != null && (
            <Text size="xs" c="dimmed">
              {lat.toFixed(4)}, {lng.toFixed(4)}
            </Text>
          )}
        </Group>
        <Button type="submit" loading={update.isPending}>
          {t('account.updateProfile')}
        </Button>
      </Stack>
    </form>
  )
}
