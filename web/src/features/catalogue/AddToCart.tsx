import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'

import { cart, MAX_QUANTITY, useCart } from '@/lib/cart'
import { useTexts } from '@/lib/texts'

interface Props {
  itemKey: string
  name: string
  /** Why the item cannot be ordered now; null when it can. */
  unavailableReason: string | null
  size?: 'sm' | 'lg'
}

/** Puts an item into the cart, then counts it there. */
export function AddToCart({ itemKey, name, unavailableReason, size = 'sm' }: Props) {
  const t = useTexts()
  const held = useCart().orderItem.find((line) => line.key === itemKey)
  if (held === undefined) {
    return (
      <Button
        size={size === 'lg' ? 'md' : 'xs'}
        variant={size === 'lg' ? 'filled' : 'light'}
        disabled={unavailableReason !== null}
        aria-label={
          unavailableReason !== null
            ? t('catalogue.refusedLabel', { name, reason: unavailableReason })
            : // Alone on its page, its own words say enough.
              size === 'lg'
              ? undefined
              : t('catalogue.addLabel', { name })
        }
        onClick={() => {
          cart.add(itemKey)
        }}
      >
        {unavailableReason ?? (size === 'lg' ? t('catalogue.addToCart') : t('catalogue.add'))}
      </Button>
    )
  }
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label={t('catalogue.inCart', { name })}>
      <ActionIcon
        variant="light"
        size={size === 'lg' ? 'xl' : 'md'}
        aria-label={t('catalogue.oneLess', { name })}
        onClick={() => {
          cart.setQty(itemKey, held.qty - 1)
        }}
      >
        <IconMinus size={16} />
      </ActionIcon>
      <Text fw={650} miw={22} ta="center" aria-live="polite">
        {held.qty}
      </Text>
      <ActionIcon
        variant="light"
        size={size === 'lg' ? 'xl' : 'md'}
        aria-label={t('catalogue.oneMore', { name })}
        disabled={held.qty >= MAX_QUANTITY || unavailableReason !== null}
        onClick={() => {
          cart.setQty(itemKey, held.qty + 1)
        }}
      >
        <IconPlus size={16} />
      </ActionIcon>
    </Group>
  )
}
