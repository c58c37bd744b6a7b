import { valibotResolver } from '@hookform/resolvers/valibot'
import { Button, Card, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import * as v from 'valibot'

import { showAtFields } from '@/api/problem'
import { currentPlace } from '@/lib/geolocation'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { LocateButton } from '@/ui/LocateButton'
import { toast } from '@/ui/toast'

import classes from './owner.module.css'
import { PicturesField } from './PicturesField'

function schemaIn(t: ReturnType<typeof useTexts>) {
  const needed = (most: number) =>
    v.pipe(v.string(), v.trim(), v.minLength(1, t('owner.required')), v.maxLength(most, t('owner.tooLong', { most })))
  return v.object({
    name: needed(100),
    address: needed(300),
    phone: v.pipe(needed(16), v.regex(/^\+?\d{6,15}$/, t('owner.phoneDigits'))),
    description: needed(2000),
    images: v.pipe(v.array(v.string()), v.minLength(1, t('app.noFileSelected'))),
    lat: v.nullish(v.number()),
    lng: v.nullish(v.number()),
    answerMinutes: v.nullish(
      v.pipe(
        v.number(t('owner.answerMinutesRange')),
        v.integer(t('owner.answerMinutesRange')),
        v.minValue(3, t('owner.answerMinutesRange')),
        v.maxValue(60, t('owner.answerMinutesRange')),
      ),
    ),
  })
}

export type RestaurantValues = v.InferOutput<ReturnType<typeof schemaIn>>

export const emptyRestaurant: RestaurantValues = { name: '', address: '', phone: '', description: '', images: [] }

const fields = ['name', 'address', 'phone', 'description', 'images', 'answerMinutes'] as const

interface Props {
  initial: RestaurantValues
  submitLabel: string
  /** Saves the form; the fields show its rejection. */
  onSave: (values: RestaurantValues) => Promise<void>
}

export function RestaurantForm({ initial, submitLabel, onSave }: Props) {
  const t = useTexts()
  const { register, handleSubmit, formState, setValue, setError, control } = useForm<RestaurantValues>({
    resolver: valibotResolver(schemaIn(t)),
    defaultValues: initial,
  })
  const save = useMutation({
    mutationFn: onSave,
    onError: (error) => {
      showAtFields(error, fields, setError)
    },
  })
  const locate = useMutation({
    mutationFn: currentPlace,
    onSuccess: ({ lat, lng }) => {
      setValue('lat', lat)
      setValue('lng', lng)
    },
    onError: () => {
      toast.error(t('owner.locationFailed'))
    },
  })
  const [images, lat, lng] = useWatch({ control, name: ['images', 'lat', 'lng'] })
  const { errors } = formState

  return (
    <Card withBorder padding="lg" className={classes.card}>
      <form onSubmit={(event) => void handleSubmit((values) => { save.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <TextInput label={t('owner.name')} required error={errors.name?.message} {...register('name')} />
            <TextInput label={t('owner.phone')} type="tel" required error={errors.phone?.message} {...register('phone')} />
          </SimpleGrid>
          <GrowingTextarea label={t('owner.address')} required error={errors.address?.message} {...register('address')} />
          <Group gap="sm">
            <LocateButton label={t('owner.useLocation')} isLocating={locate.isPending} onLocate={() => { locate.mutate() }} />
            <Text size="xs" c="dimmed">
              {lat != null && lng != null ? `${lat.toFixed(5)}, ${lng.toFixed(5)}` : t('owner.locationHint')}
            </Text>
          </Group>
          <GrowingTextarea label={t('owner.description')} rows={3} required error={errors.description?.message} {...register('description')} />
          {initial.answerMinutes !== undefined && (
            <TextInput
              label={t('owner.answerMinutes')}
              description={t('owner.answerMinutesHint')}
              type="number"
              inputMode="numeric"
              min={3}
              max={60}
              error={errors.answerMinutes?.message}
              {...register('answerMinutes', { setValueAs: (text: string | number | null) => (text === '' || text === null ? null : Number(text)) })}
            />
          )}
          <PicturesField
            label={t('owner.images')}
            kind="restaurant"
            required
            urls={images}
            error={errors.images?.message}
            onChange={(urls) => {
              setValue('images', urls, { shouldValidate: true })
            }}
          />
          <Group justify="flex-end">
            <Button component={Link} to={paths.owner.restaurants()} variant="default">
              {t('owner.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
