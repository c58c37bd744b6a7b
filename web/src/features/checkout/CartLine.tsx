import { ActionIcon, Group, Text } from '@mantine/core'
import { IconMinus, IconPlus, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'

import { cart, MAX_QUANTITY } from '@/lib/cart'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { offerUndo } from '@/ui/undo'

import classes from './CartPage.module.css'
import type { CartRow } from './cart-groups'
import { CartNote } from './CartNote'

export function CartLine({ row }: { row: CartRow }) {
  const { item, qty, total } = row
  const t = useTexts()
  const remove = () => {
    const before = cart.get()
    cart.remove(item._id)
    offerUndo({
      message: t('checkout.removed', { name: item.name }),
      label: t('checkout.undo'),
      undo: () => {
        cart.restore(before, item._id)
      },
    })
  }
  return (
    <li className={classes.line}>
      <Picture src={item.images[0]} alt="" kind="dish" width={76} height={62} eager />
      <div className={classes.what}>
        <Link to={paths.product(item._id)} className={classes.name}>
          {item.name}
        </Link>
        <Text size="sm" c="dimmed">
          {moneyText(item.price)}
        </Text>
        {!item.available && (
          <Text size="sm" c="red" fw={600}>
            {t('checkout.outOfStock')}
          </Text>
        )}
        <CartNote row={row} />
      </div>
      <Group gap={6} wrap="nowrap" role="group" aria-label={t('checkout.quantityIn', { name: item.name })} className={classes.count}>
        <ActionIcon
          variant="light"
          aria-label={t('checkout.oneLess', { name: item.name })}
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
          aria-label={t('checkout.oneMore', { name: item.name })}
          disabled={qty >= MAX_QUANTITY}
          onClick={() => {
            cart.setQty(item._id, qty + 1)
          }}
        >
          <IconPlus size={15} />
        </ActionIcon>
      </Group>
      <Text fw={650} className={classes.sum}>
        {moneyText(total)}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('checkout.remove', { name: item.name })}
        onClick={remove}
      >
        <IconTrash size={18} stroke={1.7} />
      </ActionIcon>
    </li>
  )
}
