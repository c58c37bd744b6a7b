import { Badge, MaskInput, SimpleGrid, Stack } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { type Control, Controller, type FieldErrors, useWatch } from 'react-hook-form'

import { useTexts } from '@/lib/texts'

import { brandOf, type Card, masks } from './card'

interface Props {
  control: Control<Card>
  errors: FieldErrors<Card>
}

/** Number, expiry and CVV, each with an input mask. */
export function CardFields({ control, errors }: Props) {
  const t = useTexts()
  const brand = brandOf(useWatch({ control, name: 'cardNumber' }))
  const common = { slotChar: null, showMaskOnFocus: false, inputMode: 'numeric', size: 'md' } as const
  return (
    <Stack gap="sm">
      <Controller
        control={control}
        name="cardNumber"
        render={({ field: { onChange, value, ...field } }) => (
          <MaskInput
            {...common}
            {...field}
            mask={masks.number}
            defaultValue={value}
            onChangeRaw={onChange}
            label={t('checkout.cardNumber')}
            placeholder="0000 0000 0000 0000"
            autoComplete="cc-number"
            leftSection={<IconCreditCard size={20} stroke={1.7} aria-hidden />}
            rightSection={brand !== null && <Badge size="sm" variant="light" role="status">{brand}</Badge>}
            rightSectionWidth={brand === null ? undefined : 30 + brand.length * 7}
            error={errors.cardNumber?.message}
          />
        )}
      />
      <SimpleGrid cols={2} spacing="sm">
        <Controller
          control={control}
          name="expiry"
          render={({ field: { onChange, value, ...field } }) => (
            <MaskInput
              {...common}
              {...field}
              mask={masks.expiry}
              defaultValue={value}
              onChangeRaw={(_, shown) => {
                onChange(shown)
              }}
              label={t('checkout.expiry')}
              placeholder="MM/YY"
              autoComplete="cc-exp"
              error={errors.expiry?.message}
            />
          )}
        />
        <Controller
          control={control}
          name="cvv"
          render={({ field: { onChange, value, ...field } }) => (
            <MaskInput
              {...common}
              {...field}
              mask={masks.cvv}
              defaultValue={value}
              onChangeRaw={onChange}
              label={t('checkout.cvv')}
              placeholder="000"
              autoComplete="cc-csc"
              error={errors.cvv?.message}
            />
          )}
        />
      </SimpleGrid>
    </Stack>
  )
}
