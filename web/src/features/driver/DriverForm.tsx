import { valibotResolver } from '@hookform/resolvers/valibot'
import { Badge, Button, Card, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as v from 'valibot'

import { driversQuery } from '@/api/drivers'
import { updateDriver } from '@/api/generated/sdk.gen'
import type { Driver } from '@/api/generated/types.gen'
import { showAtFields } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { toast } from '@/ui/toast'

import classes from './driver.module.css'

const vehicle = v.picklist(['Car', 'Bike', 'Van', 'Truck'])

function schemaIn(t: ReturnType<typeof useTexts>) {
  const name = v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, t('driver.enterName')),
    v.regex(/^[\p{L}\p{M} '.-]+$/u, t('driver.lettersOnly')),
  )
  return v.object({
    firstName: name,
    lastName: name,
    phone: v.pipe(v.string(), v.trim(), v.regex(/^\+?\d+$/, t('driver.digitsOnly'))),
    address: v.pipe(v.string(), v.trim(), v.minLength(1, t('driver.enterAddress'))),
    vehicleType: vehicle,
    drNic: v.pipe(v.string(), v.trim(), v.minLength(1, t('driver.enterNic'))),
    image: v.nullable(v.string()),
    isAvailable: v.boolean(),
  })
}

type Values = v.InferOutput<ReturnType<typeof schemaIn>>

const fields = ['firstName', 'lastName', 'phone', 'address', 'vehicleType', 'drNic'] as const

/** Draws the driver's picture, and the button that puts another in its place. */
export type PictureSlot = (field: { src: string | null; onUploaded: (url: string) => void }) => ReactNode

export function DriverForm({ driver, picture }: { driver: Driver; picture: PictureSlot }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { register, handleSubmit, formState, setError, setValue, control } = useForm<Values>({
    resolver: valibotResolver(schemaIn(t)),
    defaultValues: {
      firstName: driver.firstName,
      lastName: driver.lastName,
      phone: driver.phone ?? '',
      address: driver.address ?? '',
      vehicleType: driver.vehicleType,
      drNic: driver.drNic,
      image: driver.image ?? null,
      isAvailable: driver.isAvailable,
    },
  })
  const image = useWatch({ control, name: 'image' })
  const { errors } = formState
  const update = useMutation({
    mutationFn: (body: Values) => updateDriver({ path: { id: driver._id }, body }),
    onSuccess: () => {
      toast.success(t('driver.updated'))
      return queries.invalidateQueries({ queryKey: driversQuery().queryKey })
    },
    onError: (error) => {
      showAtFields(error, fields, setError)
      toast.error(t('driver.updateFailed'))
    },
  })

  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('driver.details')}>
      <form onSubmit={(event) => void handleSubmit((values) => { update.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          <Group justify="space-between">
            {picture({
              src: image,
              onUploaded: (url) => {
                setValue('image', url)
              },
            })}
            <Badge variant="light" color={driver.isAvailable ? 'leaf' : 'gray'}>
              {driver.isAvailable ? t('driver.available') : t('driver.notAvailable')}
            </Badge>
          </Group>
          <Text fw={650} size="lg" truncate>
            {driver.firstName} {driver.lastName}
          </Text>
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label={t('driver.firstName')} autoComplete="given-name" error={errors.firstName?.message} {...register('firstName')} />
            <TextInput label={t('driver.lastName')} autoComplete="family-name" error={errors.lastName?.message} {...register('lastName')} />
          </SimpleGrid>
          <TextInput label={t('driver.email')} type="email" value={driver.email} readOnly variant="filled" />
          <TextInput label={t('driver.phone')} type="tel" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
          <GrowingTextarea label={t('driver.address')} autoComplete="street-address" error={errors.address?.message} {...register('address')} />
          <SimpleGrid cols={2} spacing="sm">
            <NativeSelect
              label={t('driver.vehicleType')}
              data={vehicle.options.map((value) => ({ value, label: t(`driver.vehicle${value}`) }))}
              error={errors.vehicleType?.message}
              {...register('vehicleType')}
            />
            <TextInput label={t('driver.nic')} error={errors.drNic?.message} {...register('drNic')} />
          </SimpleGrid>
          <Checkbox
            size="md"
            label={t('driver.availableForDelivery')}
            description={t('driver.availableHint')}
            {...register('isAvailable')}
          />
          <Button type="submit" loading={update.isPending}>
            {t('driver.updateInfo')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
