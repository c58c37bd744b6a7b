import { Button, Card, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { zodResolver } from '@hookform/resolvers/zod'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'

import { updateUser } from '@/api/generated/sdk.gen'
import { isProblem } from '@/api/problem'
import { currentPlace } from '@/lib/geolocation'
import { session, type SessionUser } from '@/lib/session'
import { Picture } from '@/ui/Picture'
import { toast } from '@/ui/toast'

import classes from './account.module.css'
import { useSignOut } from './sign-out'

const name = z
  .string()
  .trim()
  .min(1, 'Please enter a name.')
  .regex(/^[\p{L}\p{M} '.-]+$/u, 'Letters and spaces only.')

const schema = z.object({
  firstName: name,
  lastName: name,
  phone: z
    .string()
    .trim()
    .regex(/^\+?\d+$/, 'Digits only.'),
  address: z.string().trim().min(1, 'Please enter your address.'),
  lat: z.number().nullish(),
  lng: z.number().nullish(),
})

type Values = z.infer<typeof schema>

const fields = ['firstName', 'lastName', 'phone', 'address'] as const

export function ProfileForm({ user }: { user: SessionUser }) {
  const signOut = useSignOut()
  const [locating, setLocating] = useState(false)
  const { register, handleSubmit, formState, setValue, setError, control } = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: {
      firstName: user.firstName,
      lastName: user.lastName,
      phone: user.phone ?? '',
      address: user.address ?? '',
      lat: user.lat ?? null,
      lng: user.lng ?? null,
    },
  })
  const update = useMutation({
    mutationFn: (body: Values) => updateUser({ path: { id: user.id }, body }),
    onSuccess: (answer) => {
      session.setUser(answer.user)
      toast.success('Profile updated!')
    },
    onError: (error) => {
      if (isProblem(error)) {
        for (const field of fields) {
          const message = error.fields[field]
          if (message !== undefined) setError(field, { message })
        }
      }
      toast.error('Failed to update profile.')
    },
  })
  const locate = async () => {
    setLocating(true)
    try {
      const { lat, lng } = await currentPlace()
      setValue('lat', lat, { shouldDirty: true })
      setValue('lng', lng, { shouldDirty: true })
      toast.success('Location fetched!')
    } catch {
      toast.error('Geolocation not allowed or failed.')
    } finally {
      setLocating(false)
    }
  }
  const [lat, lng] = useWatch({ control, name: ['lat', 'lng'] })
  const { errors } = formState

  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label="Your details">
      <form onSubmit={(event) => void handleSubmit((values) => { update.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          <Group wrap="nowrap">
            <Picture src={user.image} alt="" kind="person" width={72} height={72} round />
            <div style={{ minWidth: 0 }}>
              <Text fw={650} size="lg" truncate>
                {user.firstName} {user.lastName}
              </Text>
              <Text size="sm" c="dimmed" truncate>
                {user.email}
              </Text>
            </div>
          </Group>
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label="First name" autoComplete="given-name" error={errors.firstName?.message} {...register('firstName')} />
            <TextInput label="Last name" autoComplete="family-name" error={errors.lastName?.message} {...register('lastName')} />
          </SimpleGrid>
          <TextInput label="Email" type="email" value={user.email} readOnly variant="filled" />
          <TextInput label="Phone" type="tel" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
          <Textarea label="Address" autosize minRows={2} autoComplete="street-address" error={errors.address?.message} {...register('address')} />
          <Group gap="sm">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconCurrentLocation size={16} />}
              loading={locating}
              onClick={() => void locate()}
            >
              Use Current Location
            </Button>
            {lat != null && lng != null && (
              <Text size="xs" c="dimmed">
                {lat.toFixed(4)}, {lng.toFixed(4)}
              </Text>
            )}
          </Group>
          <Button type="submit" loading={update.isPending}>
            Update Profile
          </Button>
          <Button variant="subtle" color="gray" onClick={() => void signOut()}>
            Logout
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
