import { zodResolver } from '@hookform/resolvers/zod'
import { Badge, Button, Card, Checkbox, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'

import { driversQuery } from '@/api/drivers'
import { updateDriver } from '@/api/generated/sdk.gen'
import type { Driver } from '@/api/generated/types.gen'
import { isProblem } from '@/api/problem'
import { Picture } from '@/ui/Picture'
import { toast } from '@/ui/toast'

import classes from './driver.module.css'

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
  isAvailable: z.boolean(),
})

type Values = z.infer<typeof schema>

const fields = ['firstName', 'lastName', 'phone', 'address'] as const

export function DriverForm({ driver }: { driver: Driver }) {
  const queries = useQueryClient()
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: {
      firstName: driver.firstName,
      lastName: driver.lastName,
      phone: driver.phone ?? '',
      address: driver.address ?? '',
      isAvailable: driver.isAvailable,
    },
  })
  const { errors } = formState
  const update = useMutation({
    mutationFn: (body: Values) => updateDriver({ path: { id: driver._id }, body }),
    onSuccess: () => {
      toast.success('Driver updated successfully')
      return queries.invalidateQueries({ queryKey: driversQuery().queryKey })
    },
    onError: (error) => {
      if (isProblem(error)) {
        for (const field of fields) {
          const message = error.fields[field]
          if (message !== undefined) setError(field, { message })
        }
      }
      toast.error('Update failed')
    },
  })

  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label="Your details">
      <form onSubmit={(event) => void handleSubmit((values) => { update.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          <Group wrap="nowrap">
            <Picture src={driver.image} alt="" kind="person" width={72} height={72} round />
            <div className={classes.who}>
              <Text fw={650} size="lg" truncate>
                {driver.firstName} {driver.lastName}
              </Text>
              <Group gap={6}>
                <Badge variant="light" color={driver.isAvailable ? 'leaf' : 'gray'}>
                  {driver.isAvailable ? 'Available' : 'Not available'}
                </Badge>
                {driver.vehicleType && <Badge variant="light">{driver.vehicleType}</Badge>}
              </Group>
            </div>
          </Group>
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label="First name" autoComplete="given-name" error={errors.firstName?.message} {...register('firstName')} />
            <TextInput label="Last name" autoComplete="family-name" error={errors.lastName?.message} {...register('lastName')} />
          </SimpleGrid>
          <TextInput label="Email" type="email" value={driver.email} readOnly variant="filled" />
          <TextInput label="Phone" type="tel" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
          <Textarea label="Address" autosize minRows={2} autoComplete="street-address" error={errors.address?.message} {...register('address')} />
          <Checkbox
            size="md"
            label="Available for delivery"
            description="Restaurants choose among the drivers who are available."
            {...register('isAvailable')}
          />
          <Button type="submit" loading={update.isPending}>
            Update Driver Info
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
