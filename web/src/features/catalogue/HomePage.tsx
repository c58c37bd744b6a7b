import { Anchor, Box, Button, Container, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import { Link, useNavigate } from 'react-router'

import { itemPagesQuery, restaurantsQuery } from '@/api/catalogue'
import type { Item, Restaurant } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { useAfterFirstRender } from '@/lib/render-timing'
import { useTexts } from '@/lib/texts'
import { Empty, Failure } from '@/ui/states'

import { openIds } from './CustomerTime'
import { categories, categoryLabel } from './categories'
import { DishCard, DishSkeleton } from './DishCard'
import classes from './HomePage.module.css'
import { popularItems } from './popular'
import { RestaurantCard, RestaurantSkeleton } from './RestaurantCard'
import cards from './cards.module.css'

function Section({ title, to, more, children }: { title: string; to: string; more: string; children: ReactNode }) {
  return (
    <Stack gap="md" component="section">
      <Group justify="space-between" align="baseline" gap="0.25rem 0.75rem">
        <Title order={2}>{title}</Title>
        <Anchor component={Link} to={to} fw={600} size="sm">
          <Group gap={4} wrap="nowrap">
            {more}
            <IconArrowRight size={16} aria-hidden />
          </Group>
        </Anchor>
      </Group>
      {children}
    </Stack>
  )
}

function Hero() {
  const t = useTexts()
  const navigate = useNavigate()
  const user = useSessionUser()
  const search = (form: FormData) => {
    const q = form.get('q')
    void navigate(paths.items(typeof q === 'string' && q.trim() !== '' ? { q: q.trim() } : {}))
  }
  return (
    <Box className={classes.hero}>
      <Container size="lg" className={classes.heroInner}>
        <Stack gap="md" flex={1} miw={0}>
          <Title order={1} className={classes.headline}>
            {t('catalogue.headline')}
          </Title>
          <Text size="lg" c="dimmed" maw={480}>
            {t('catalogue.lead')}
          </Text>
          <form action={search} role="search" className={classes.search}>
            <label className={classes.searchField}>
              <IconSearch size={20} aria-hidden />
              <input
                name="q"
                type="search"
                maxLength={100}
                placeholder={t('catalogue.searchPlaceholder')}
                aria-label={t('catalogue.searchItems')}
              />
            </label>
            <Button type="submit" size="lg" className={classes.searchButton ?? ''}>
              {t('catalogue.search')}
            </Button>
          </form>
          <Group gap="lg">
            <Anchor component={Link} to={paths.menu()} fw={600}>
              {t('catalogue.wholeMenu')}
            </Anchor>
            {(user === null || user.role === 'customer') && (
              <Anchor component={Link} to={paths.order()} fw={600}>
                {t('catalogue.myOrders')}
              </Anchor>
            )}
          </Group>
        </Stack>
        <img src="/art/hero.svg" alt="" width={420} height={350} className={classes.illustration} />
      </Container>
    </Box>
  )
}

const Nearby = memo(({ restaurants }: { restaurants: Restaurant[] }) => {
  const t = useTexts()
  const showRest = useAfterFirstRender()
  const open = useMemo(
    () => [...restaurants].sort((a, b) => Number(b.isOpen) - Number(a.isOpen)).slice(0, 6),
    [restaurants],
  )
  const among = useMemo(() => openIds(open), [open])
  if (restaurants.length === 0) return <Empty text={t('catalogue.noRestaurants')} art="empty-list" />
  return (
    <div className={cards.restaurants}>
      {open.slice(0, showRest ? 6 : 3).map((restaurant, at) => (
        <RestaurantCard key={restaurant._id} restaurant={restaurant} eager={at < 3} among={among} />
      ))}
    </div>
  )
})
Nearby.displayName = 'Nearby'

const Popular = memo(({ items, restaurants }: { items: Item[]; restaurants: Restaurant[] | undefined }) => {
  const t = useTexts()
  const popular = popularItems(items, restaurants ?? [])
  if (popular.length === 0) return <Empty text={t('catalogue.noItems')} art="nothing-found" />
  return (
    <div className={cards.dishes}>
      {popular.map(({ item, restaurant }) => (
        <DishCard key={item._id} item={item} restaurant={restaurant} />
      ))}
    </div>
  )
})
Popular.displayName = 'Popular'

export function HomePage() {
  const t = useTexts()
  const restaurants = useQuery(restaurantsQuery())
  const items = useInfiniteQuery(itemPagesQuery({ sort: 'rating' }))
  // Cards are drawn in small pieces, between which the browser can answer a touch.
  const drawnRestaurants = useDeferredValue(restaurants.data)
  const rows = useDeferredValue(items.data?.pages[0]?.rows)
  const drawnItems = useAfterFirstRender() ? rows : undefined

  return (
    <>
      <title>{t('catalogue.homeTitle')}</title>
      <Hero />
      <Container size="lg" py="xl">
        <Stack gap={48}>
          <section className={classes.categories} aria-label={t('catalogue.categories')}>
            {categories.map((value) => (
              <Link key={value} to={paths.items({ category: value })} className={classes.category}>
                <img src={`/art/${value}.svg`} alt="" width={84} height={70} />
                <div>
                  <Text fw={650} className={classes.label ?? ''}>
                    {categoryLabel(value)}
                  </Text>
                  <Text size="sm" c="dimmed" visibleFrom="xs">
                    {t(`catalogue.${value}Hint`)}
                  </Text>
                </div>
              </Link>
            ))}
          </section>
          <Section title={t('catalogue.restaurantsNear')} to={paths.restaurants()} more={t('catalogue.allRestaurants')}>
            {restaurants.isError && (
              <Failure message={t('catalogue.restaurantsFailed')} retry={() => void restaurants.refetch()} />
            )}
            {drawnRestaurants !== undefined && <Nearby restaurants={drawnRestaurants} />}
            {drawnRestaurants === undefined && !restaurants.isError && (
              <div className={cards.restaurants}>
                {[1, 2, 3].map((slot) => (
                  <RestaurantSkeleton key={slot} />
                ))}
              </div>
            )}
          </Section>
          <Section title={t('catalogue.popularItems')} to={paths.items()} more={t('catalogue.allItems')}>
            {items.isError && (
              <Failure message={messageOf(items.error, t('app.anError'))} retry={() => void items.refetch()} />
            )}
            {drawnItems !== undefined && <Popular items={drawnItems} restaurants={drawnRestaurants} />}
            {drawnItems === undefined && !items.isError && (
              <div className={cards.dishes}>
                {[1, 2, 3, 4].map((slot) => (
                  <DishSkeleton key={slot} />
                ))}
              </div>
            )}
          </Section>
        </Stack>
      </Container>
    </>
  )
}
