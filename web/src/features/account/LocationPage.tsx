import { Alert, Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { updateUser } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { profileQuery } from '@/api/profile'
import { lazyPart } from '@/lib/lazy-part'
import { session, type SessionUser, useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { LocateButton } from '@/ui/LocateButton'
import { Page } from '@/ui/Page'
import { Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import classes from './account.module.css'
import { PlaceSearch } from './PlaceSearch'
import { type DeliveryAddress, usePlace } from './use-place'

// The map and its library are only fetched where a map is looked at.
const PlaceMap = lazyPart(async () => ({ default: (await import('./PlaceMap')).PlaceMap }))

/** The address of delivery: found by the device, by search, or set with a pin on the map. */
export function LocationPage() {
  const t = useTexts()
  const user = useSessionUser()
  const profile = useQuery(profileQuery(user?.id))
  return (
    <Page title={t('account.locationTitle')} lead={t('account.locationLead')} size="md">
      {/* Without the profile a place can be set all the same. */}
      {profile.isLoading ? <Loading /> : <PlaceForm key={user?.id} user={user} savedAddress={profile.data} />}
    </Page>
  )
}

function PlaceForm({ user, savedAddress }: { user: SessionUser | null; savedAddress: DeliveryAddress | undefined }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { place, address, fault, locating, locate, move, setAddress } = usePlace(savedAddress)
  const [problem, setProblem] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: async (id: string) => {
      const body = { address: address.trim(), lat: place.lat, lng: place.lng }
      return updateUser({ path: { id }, body: body.address === '' ? { lat: body.lat, lng: body.lng } : body })
    },
    onMutate: () => {
      setProblem(null)
    },
    onSuccess: ({ user: saved }) => {
      session.setUser(saved)
      queries.setQueryData(profileQuery(saved.id).queryKey, saved)
      toast.success(t('account.locationSaved'))
    },
    onError: (error) => {
      toast.error(t('account.locationUpdateFailed'))
      const reason = messageOf(error, '')
      setProblem(reason === '' ? null : reason)
    },
  })
  const submit = () => {
    if (user === null) toast.error(t('account.locationNotLoggedIn'))
    else save.mutate(user.id)
  }

  return (
    <Card component="section" withBorder padding={0} className={classes.card} aria-label={t('account.locationTitle')}>
      <PlaceSearch onFound={move} />
      <div className={classes.placeMap}>
        <Suspense fallback={<Skeleton height="100%" radius={0} />}>
          <PlaceMap place={place} onMove={move} />
        </Suspense>
      </div>
      <form
        noValidate
        className={classes.placeForm}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          {fault !== null && (
            <Alert color="amber" role="alert">
              {fault}
            </Alert>
          )}
          <Group gap="sm" justify="space-between">
            <LocateButton label={t('account.useCurrentLocation')} isLocating={locating} onLocate={locate} />
            <Text size="sm" c="dimmed" role="status" data-testid="place">
              {place.lat.toFixed(5)}, {place.lng.toFixed(5)}
            </Text>
          </Group>
          <GrowingTextarea
            label={t('account.address')}
            size="md"
            maxLength={300}
            autoComplete="street-address"
            value={address}
            error={problem}
            onChange={(event) => {
              setAddress(event.currentTarget.value)
            }}
          />
          <Button type="submit" size="md" loading={save.isPending}>
            {t('account.saveLocation')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
