import { ActionIcon, Avatar, Burger, Button, Drawer, Group, Indicator, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShoppingBag, IconUserCircle } from '@tabler/icons-react'
import { Link, NavLink } from 'react-router'

import { Bell } from '@/features/notifications/Bell'
import { countOf, useCart } from '@/lib/cart'
import { homeOf, paths } from '@/lib/paths'
import { type SessionUser, useSessionUser } from '@/lib/session'
import { Brand } from '@/ui/Brand'
import { ColorSchemeMenu } from '@/ui/ColorSchemeMenu'

import classes from './Header.module.css'

const links = [
  { to: paths.home(), label: 'Home' },
  { to: paths.restaurants(), label: 'Restaurants' },
  { to: paths.items(), label: 'Items' },
]

function NavLinks({ onFollow }: { onFollow?: () => void }) {
  return links.map(({ to, label }) => (
    <NavLink key={to} to={to} end={to === paths.home()} className={classes.link ?? ''} onClick={onFollow}>
      {label}
    </NavLink>
  ))
}

function Account({ user }: { user: SessionUser | null }) {
  if (user === null) {
    return (
      <Button component={Link} to={paths.login()} variant="light" size="sm" leftSection={<IconUserCircle size={18} />}>
        Login
      </Button>
    )
  }
  const isCustomer = user.role === 'customer'
  return (
    <ActionIcon
      component={Link}
      to={isCustomer ? paths.profile() : homeOf(user.role)}
      variant="subtle"
      size="lg"
      aria-label={isCustomer ? 'Profile' : 'Panel'}
    >
      <Avatar src={user.image ?? null} size={30} color="ember" name={`${user.firstName} ${user.lastName}`} alt="" />
    </ActionIcon>
  )
}

function CartLink() {
  const count = countOf(useCart())
  return (
    <Indicator label={count > 99 ? '99+' : count} size={17} offset={6} disabled={count === 0} color="ember">
      <ActionIcon
        component={Link}
        to={paths.cart()}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={count === 0 ? 'Cart, empty' : `Cart, ${count} ${count === 1 ? 'item' : 'items'}`}
      >
        <IconShoppingBag size={21} stroke={1.7} />
      </ActionIcon>
    </Indicator>
  )
}

/** The customer site's header. */
export function Header() {
  const user = useSessionUser()
  const [menuOpen, menu] = useDisclosure(false)
  return (
    <header className={classes.header}>
      <Group justify="space-between" wrap="nowrap" className={classes.inner}>
        <Group gap="lg" wrap="nowrap">
          <Burger
            hiddenFrom="sm"
            size="sm"
            opened={menuOpen}
            onClick={menu.toggle}
            aria-label={menuOpen ? 'Close menu' : 'Open menu'}
          />
          <Brand />
          <Group component="nav" gap={4} visibleFrom="sm" aria-label="Main">
            <NavLinks />
          </Group>
        </Group>
        <Group gap={6} wrap="nowrap">
          <ColorSchemeMenu />
          <Bell />
          <CartLink />
          <Account user={user} />
        </Group>
      </Group>
      <Drawer opened={menuOpen} onClose={menu.close} size="75%" title="Menu" hiddenFrom="sm">
        <Stack component="nav" gap={4} aria-label="Main">
          <NavLinks onFollow={menu.close} />
        </Stack>
      </Drawer>
    </header>
  )
}
