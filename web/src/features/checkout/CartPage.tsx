import { Alert, Badge, Button, Card, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'react-router'

import type { Checkout, User } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { placeOf, profileQuery } from '@/api/profile'
import { countItems, useCart } from '@/lib/cart'
import { clockText, moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { ArrivalEstimate } from './ArrivalEstimate'
import { useCartContents } from './cart-contents'
import { CartLine } from './CartLine'
import classes from './CartPage.module.css'
import { DeliverTo, type Destination } from './DeliverTo'
import type { CartGroup } from './cart-groups'
import { usePlaceOrder } from './place-order'

function RestaurantLines({ group }: { group: CartGroup }) {
  const t = useTexts()
  return (
    <Card component="section" withBorder className={classes.panel} aria-label={group.name}>
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Title order={2} size="h3">
            <Link to={paths.restaurant(group.restaurantId)} className={classes.name}>
              {group.name}
            </Link>
          </Title>
          {!group.isOpen && (
            <Badge color="gray">
              {group.pausedUntil === null ? t('checkout.closed') : t('app.pausedUntil', { time: clockText(group.pausedUntil) })}
            </Badge>
          )}
        </Group>
        <Text c="dimmed" size="sm">
          {moneyText(group.total)}
        </Text>
      </Group>
      <ul className={classes.lines}>
        {group.rows.map((row) => (
          <CartLine key={row.item._id} row={row} />
        ))}
      </ul>
    </Card>
  )
}

function destinationOf(user: User | undefined): Destination {
  return { address: user?.address ?? '', place: placeOf(user) }
}

export function CartPage() {
  const t = useTexts()
  const inCart = useCart()
  const profile = useQuery(profileQuery(useSessionUser()?.id))
  const [chosen, setChosen] = useState<Partial<Destination>>({})
  const destination = useMemo(() => ({ ...destinationOf(profile.data), ...chosen }), [profile.data, chosen])
  const choose = useCallback((change: Partial<Destination>) => {
    setChosen((before) => ({ ...before, ...change }))
  }, [])
  const { place, placing, ordered, moved } = usePlaceOrder()
  const held = ordered ?? inCart
  const { groups, quote, isPending, failed } = useCartContents(held)
  const count = countItems(held)

  if (count === 0) {
    return (
      <Page title={t('checkout.cart')}>
        <Empty text={t('checkout.cartEmpty')} art="empty-cart" hint={t('checkout.cartEmptyHint')}>
          <Button component={Link} to={paths.items()}>
            {t('checkout.browseItems')}
          </Button>
        </Empty>
      </Page>
    )
  }

  const total = quote.data?.total
  const ready = total !== undefined && !quote.isPlaceholderData && !quote.isError && !profile.isLoading
  const order = () => {
    if (!ready) return
    const address = destination.address.trim()
    const body: Checkout = { orderItem: held.orderItem, total }
    if (address !== '') body.address = address
    if (destination.place !== null) Object.assign(body, destination.place)
    place(body)
  }

  return (
    <Page title={t('checkout.cart')} lead={t('checkout.itemCount', { count })}>
      <div className={classes.columns}>
        <Stack gap="md">
          {failed !== undefined && (
            <Failure message={messageOf(failed.error, t('checkout.error'))} retry={() => void failed.refetch()} />
          )}
          {isPending && groups.length === 0 && <Loading />}
          {groups.map((group) => (
            <RestaurantLines key={group.restaurantId} group={group} />
          ))}
        </Stack>
        <Card component="section" withBorder className={classes.summary} aria-label={t('checkout.summary')}>
          <Stack gap="md">
            <DeliverTo value={destination} onChange={choose} />
            <Divider />
            {moved && (
              <Alert color="amber" icon={<IconInfoCircle />} role="alert">
                {t('checkout.pricesMoved')}
              </Alert>
            )}
            {quote.isError && (
              <Failure message={messageOf(quote.error, t('checkout.error'))} retry={() => void quote.refetch()} />
            )}
            <ArrivalEstimate place={destination.place} groups={groups} isPlacePending={profile.isLoading} />
            <Group justify="space-between">
              <Text fw={600}>{t('checkout.total')}</Text>
              <Text fz={24} fw={700} ff="heading" aria-live="polite" data-testid="cart-total" opacity={ready ? 1 : 0.5}>
                {total === undefined ? '…' : moneyText(total)}
              </Text>
            </Group>
            <Button size="lg" loading={placing} disabled={!ready} onClick={order}>
              {t('checkout.placeOrder')}
            </Button>
          </Stack>
        </Card>
      </div>
    </Page>
  )
}
