import { ActionIcon, Group, Text } from '@mantine/core'
import { IconMinus, IconPlus, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'

import { cart, MOST } from '@/lib/cart'
import { rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Picture } from '@/ui/Picture'

import classes from './CartPage.module.css'
import type { CartRow } from './lines'

export function CartLine({ row: { item, qty, total } }: { row: CartRow }) {
  return (
    <li className={classes.line}>
      <Picture src={item.images[0]} alt="" kind="dish" width={76} height={62} />
      <div className={classes.what}>
        <Link to={paths.product(item._id)} className={classes.name}>
          {item.name}
        </Link>
        <Text size="sm" c="dimmed">
          {rupees(item.price)}
        </Text>
        {!item.available && (
          <Text size="sm" c="red" fw={600}>
            Out of Stock
          </Text>
        )}
      </div>
      <Group gap={6} wrap="nowrap" role="group" aria-label={`Quantity of ${item.name}`} className={classes.count}>
        <ActionIcon
          variant="light"
          aria-label={`One ${item.name} less`}
          disabled={qty <= 1}
          onClick={() => {
            cart.setQty(item._id, qty - 1)
          }}
        >
          <IconMinus size={15} />
        </ActionIcon>
        <Text fw={650} miw={24} ta="center" aria-live="polite">
          {qty}
        </Text>
        <ActionIcon
          variant="light"
          aria-label={`One ${item.name} more`}
          disabled={qty >= MOST}
          onClick={() => {
            cart.setQty(item._id, qty + 1)
          }}
        >
          <IconPlus size={15} />
        </ActionIcon>
      </Group>
      <Text fw={650} className={classes.sum}>
        {rupees(total)}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove ${item.name}`}
        onClick={() => {
          cart.remove(item._id)
        }}
      >
        <IconTrash size={18} stroke={1.7} />
      </ActionIcon>
    </li>
  )
}
