import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'

import { cart, MOST, useCart } from '@/lib/cart'

interface Props {
  itemKey: string
  name: string
  /** Why the item cannot be ordered now; null when it can. */
  refusal: string | null
  size?: 'sm' | 'lg'
}

/** Puts an item into the cart, then counts it there. */
export function AddToCart({ itemKey, name, refusal, size = 'sm' }: Props) {
  const held = useCart().orderItem.find((line) => line.key === itemKey)
  if (held === undefined) {
    return (
      <Button
        size={size === 'lg' ? 'md' : 'xs'}
        variant={size === 'lg' ? 'filled' : 'light'}
        disabled={refusal !== null}
        aria-label={refusal === null ? `Add ${name} to cart` : `${name}: ${refusal}`}
        onClick={() => {
          cart.add(itemKey)
        }}
      >
        {refusal ?? (size === 'lg' ? 'Add to cart' : 'Add')}
      </Button>
    )
  }
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label={`${name} in cart`}>
      <ActionIcon
        variant="light"
        size={size === 'lg' ? 'xl' : 'md'}
        aria-label={`One ${name} less`}
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
        aria-label={`One ${name} more`}
        disabled={held.qty >= MOST || refusal !== null}
        onClick={() => {
          cart.setQty(itemKey, held.qty + 1)
        }}
      >
        <IconPlus size={16} />
      </ActionIcon>
    </Group>
  )
}
