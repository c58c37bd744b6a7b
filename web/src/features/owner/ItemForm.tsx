import { Button, Card, Checkbox, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'

import type { Category } from '@/api/generated/types.gen'
import { showAtFields } from '@/api/problem'
import { CURRENCY_SIGN } from '@/lib/format'
import { MONEY_STEP } from '@/lib/money'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'

import classes from './owner.module.css'
import { PicturesField } from './PicturesField'

const categories: Category[] = ['fastfood', 'familymeals', 'dessert']

export interface ItemValues {
  name: string
  /** The price as typed; the service checks it. */
  price: string
  category: Category
  description: string
  available: boolean
  images: string[]
}

export const emptyItem: ItemValues = {
  name: '',
  price: '',
  category: 'fastfood',
  description: '',
  available: true,
  images: [],
}

const fields = ['name', 'price', 'category', 'description', 'images'] as const

interface Props {
  initial: ItemValues
  /** The id of an existing item. */
  itemId?: string
  submitLabel: string
  cancelTo: string
  /** Saves the form; the fields show its rejection. */
  onSave: (values: ItemValues) => Promise<void>
}

/** A dish of the menu. Nothing is checked here: the service knows the rules. */
export function ItemForm({ initial, itemId, submitLabel, cancelTo, onSave }: Props) {
  const t = useTexts()
  const { register, handleSubmit, formState, setValue, setError, control } = useForm<ItemValues>({ defaultValues: initial })
  const images = useWatch({ control, name: 'images' })
  const { errors } = formState
  const save = useMutation({
    mutationFn: onSave,
    onError: (error) => {
      showAtFields(error, fields, setError)
    },
  })
  return (
    <Card withBorder padding="lg" className={classes.card}>
      <form onSubmit={(event) => void handleSubmit((values) => { save.mutate(values) })(event)} noValidate>
        <Stack gap="md">
          {itemId !== undefined && <TextInput label={t('owner.itemId')} value={itemId} readOnly variant="filled" />}
          <TextInput label={t('owner.itemName')} error={errors.name?.message} {...register('name')} />
          <SimpleGrid cols={2} spacing="md">
            <TextInput
              label={t('owner.price')}
              type="number"
              step={MONEY_STEP}
              inputMode={MONEY_STEP === '1' ? 'numeric' : 'decimal'}
              leftSection={CURRENCY_SIGN}
              error={errors.price?.message}
              {...register('price')}
            />
            <NativeSelect
              label={t('owner.category')}
              data={categories.map((value) => ({ value, label: t(`owner.${value}`) }))}
              error={errors.category?.message}
              {...register('category')}
            />
          </SimpleGrid>
          <GrowingTextarea label={t('owner.description')} rows={3} error={errors.description?.message} {...register('description')} />
          <Checkbox size="md" label={t('owner.available')} {...register('available')} />
          <PicturesField
            label={t('owner.images')}
            kind="dish"
            urls={images}
            error={errors.images?.message}
            onChange={(urls) => {
              setValue('images', urls)
            }}
          />
          <Group justify="flex-end">
            <Button component={Link} to={cancelTo} variant="default">
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
