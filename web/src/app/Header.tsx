import { ActionIcon, Avatar, Burger, Button, Group, Indicator } from '@mantine/core'
import { IconShoppingBag, IconUserCircle } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'

import { Bell } from '@/features/notifications/Bell'
import { countItems, useCart } from '@/lib/cart'
import { homeOf, paths } from '@/lib/paths'
import { type SessionUser, useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Brand } from '@/ui/Brand'
import { Settings } from '@/ui/Settings'

import classes from './Header.module.css'
import { NavLinks } from './NavLinks'

const loadDrawer = async () => ({ default: (await import('./NavDrawer')).NavDrawer })
const NavDrawer = lazy(loadDrawer)

function Account({ user }: { user: SessionUser | null }) {
  const t = useTexts()
  if (user === null) {
    return (
      <Button component={Link} to={paths.login()} variant="light" size="sm" className={classes.login ?? ''} leftSection={<IconUserCircle size={18} />}>
        {t('app.login')}
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
      aria-label={isCustomer ? t('app.profile') : t('app.panel')}
    >
      <Avatar src={user.image ?? null} size={30} color="ember" name={`${user.firstName} ${user.lastName}`} alt="" />
    </ActionIcon>
  )
}

function CartLink() {
  const t = useTexts()
  const count = countItems(useCart())
  return (
    <Indicator label={count > 99 ? '99+' : count} size={17} offset={6} disabled={count === 0} color="ember">
      <ActionIcon
        component={Link}
        to={paths.cart()}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('app.cart', { count })}
      >
        <IconShoppingBag size={21} stroke={1.7} />
      </ActionIcon>
    </Indicator>
  )
}

/** The customer site's header. */
export function Header() {
  const t = useTexts()
  const user = useSessionUser()
  const [menuOpen, setMenuOpen] = useState<boolean | null>(null)
  return (
    <header className={classes.header}>
      <Group justify="space-between" wrap="nowrap" className={classes.inner}>
        <Group gap="lg" wrap="nowrap" className={classes.start}>
          <Burger
            hiddenFrom="sm"
            size="sm"
            opened={menuOpen === true}
            onPointerEnter={() => void loadDrawer()}
            onClick={() => {
              setMenuOpen(menuOpen !== true)
            }}
            aria-label={menuOpen === true ? t('app.closeMenu') : t('app.openMenu')}
          />
          <Brand />
          <Group component="nav" gap={4} visibleFrom="sm" aria-label={t('app.mainNavigation')}>
            <NavLinks />
          </Group>
        </Group>
        <Group gap={6} wrap="nowrap" className={classes.actions}>
          <Settings />
          <Bell />
          <CartLink />
          <Account user={user} />
        </Group>
      </Group>
      {menuOpen !== null && (
        <Suspense>
          <NavDrawer
            opened={menuOpen}
            onClose={() => {
              setMenuOpen(false)
            }}
          />
        </Suspense>
      )}
    </header>
  )
}
