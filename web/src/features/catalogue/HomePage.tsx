import { Anchor, Box, Button, Container, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'

import { itemsQuery, restaurantsQuery } from '@/api/catalogue'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { Empty, Failure } from '@/ui/states'

import { categories } from './categories'
import { DishCard, DishSkeleton } from './DishCard'
import classes from './HomePage.module.css'
import { popularOf } from './popular'
import { RestaurantCard, RestaurantSkeleton } from './RestaurantCard'

function Section({ title, to, more, children }: { title: string; to: string; more: string; children: ReactNode }) {
  return (
    <Stack gap="md" component="section">
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Title order={2}>{title}</Title>
        <Anchor component={Link} to={to} fw={600} className={classes.more ?? ''}>
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
  const navigate = useNavigate()
  const user = useSessionUser()
  const search = (form: FormData) => {
    const q = form.get('q')
    void navigate(paths.items(typeof q === 'string' && q.trim() !== '' ? { q: q.trim() } : {}))
  }
  return (
    <Box className={classes.hero}>
      <Container size="lg" className={classes.heroInner}>
        <Stack gap="md" style={{ flex: 1 }}>
          <Title order={1} className={classes.headline}>
            Good food, on its way to you.
          </Title>
          <Text size="lg" c="dimmed" maw={480}>
            Order from kitchens nearby and follow your driver on the map, street by street.
          </Text>
          <form action={search} role="search" className={classes.search}>
            <TextInput
              name="q"
              size="lg"
              radius="xl"
              placeholder="What would you like?"
              aria-label="Search items"
              leftSection={<IconSearch size={20} />}
              style={{ flex: 1 }}
            />
            <Button type="submit" size="lg">
              Search
            </Button>
          </form>
          <Group gap="lg">
            <Anchor component={Link} to={paths.menu()} fw={600}>
              See the whole menu
            </Anchor>
            {user?.role === 'customer' && (
              <Anchor component={Link} to={paths.order()} fw={600}>
                My orders
              </Anchor>
            )}
          </Group>
        </Stack>
        <img src="/art/hero.svg" alt="" width={420} height={350} className={classes.art} />
      </Container>
    </Box>
  )
}

export function HomePage() {
  const restaurants = useQuery(restaurantsQuery())
  const items = useQuery(itemsQuery())
  const popular = popularOf(items.data ?? [], restaurants.data ?? [])
  const open = [...(restaurants.data ?? [])].sort((a, b) => Number(b.isOpen) - Number(a.isOpen)).slice(0, 6)

  return (
    <>
      <title>Tiffin: good food, on its way to you</title>
      <Hero />
      <Container size="lg" py="xl">
        <Stack gap={48}>
          <SimpleGrid
            cols={3}
            spacing={{ base: 'xs', sm: 'md' }}
            component="section"
            aria-label="Categories"
          >
            {categories.map(({ value, label, hint }) => (
              <Link key={value} to={paths.items({ category: value })} className={classes.category}>
                <img src={`/art/${value}.svg`} alt="" width={84} height={70} />
                <div>
                  <Text fw={650} className={classes.label ?? ''}>
                    {label}
                  </Text>
                  <Text size="sm" c="dimmed" visibleFrom="xs">
                    {hint}
                  </Text>
                </div>
              </Link>
            ))}
          </SimpleGrid>
          <Section title="Restaurants near you" to={paths.restaurants()} more="All restaurants">
            {restaurants.isError && (
              <Failure message="Failed to load restaurants." retry={() => void restaurants.refetch()} />
            )}
            {restaurants.isSuccess && open.length === 0 && <Empty text="No restaurants yet." art="empty-list" />}
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
              {restaurants.isPending
                ? [1, 2, 3].map((slot) => <RestaurantSkeleton key={slot} />)
                : open.map((restaurant) => <RestaurantCard key={restaurant._id} restaurant={restaurant} />)}
            </SimpleGrid>
          </Section>
          <Section title="Popular items" to={paths.items()} more="All items">
            {items.isError && <Failure message="An error occurred" retry={() => void items.refetch()} />}
            {items.isSuccess && popular.length === 0 && <Empty text="No items found." art="nothing-found" />}
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, md: 4 }}>
              {items.isPending
                ? [1, 2, 3, 4].map((slot) => <DishSkeleton key={slot} />)
                : popular.map(({ item, restaurant }) => (
                    <DishCard key={item._id} item={item} restaurant={restaurant} />
                  ))}
            </SimpleGrid>
          </Section>
        </Stack>
      </Container>
    </>
  )
}
