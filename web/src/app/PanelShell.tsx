import { AppShell, Burger, Group, NavLink, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout } from '@tabler/icons-react'
import { type ComponentType, Suspense } from 'react'
import { Link, Outlet, useLocation } from 'react-router'

import { useSignOut } from '@/features/account/sign-out'
import { Bell } from '@/features/notifications/Bell'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Brand } from '@/ui/Brand'
import { Settings } from '@/ui/Settings'
import { Loading } from '@/ui/states'

import { ErrorBoundary } from './ErrorBoundary'
import classes from './PanelShell.module.css'

interface PanelLink {
  to: string
  label: string
  Icon: ComponentType<{ size?: number; stroke?: number }>
}

/** The frame of the owners', drivers' and administrators' panels. */
export function PanelShell({ title, links }: { title: string; links: PanelLink[] }) {
  const t = useTexts()
  const [open, sidebar] = useDisclosure(false)
  const user = useSessionUser()
  const signOut = useSignOut()
  const { pathname } = useLocation()
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !open } }}
      padding={0}
    >
      <a className="skip-link" href="#content">
        {t('app.skipToContent')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              hiddenFrom="md"
              size="sm"
              opened={open}
              onClick={sidebar.toggle}
              aria-label={open ? t('app.closeMenu') : t('app.openMenu')}
            />
            <Brand />
          </Group>
          <Group gap={6} wrap="nowrap">
            <Settings />
            <Bell />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={title}>
        <Stack gap={4} style={{ flex: 1 }}>
          <Text fw={700} px="sm" py={6} ff="heading">
            {title}
          </Text>
          {links.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={isAt(pathname, to)}
              leftSection={<Icon size={19} stroke={1.7} />}
              onClick={sidebar.close}
              style={{ borderRadius: 12 }}
            />
          ))}
        </Stack>
        {user !== null && (
          <Text size="xs" c="dimmed" px="sm" pb={6} truncate>
            {user.email}
          </Text>
        )}
        <NavLink
          component="button"
          label={t('app.logout')}
          leftSection={<IconLogout size={19} stroke={1.7} />}
          onClick={() => void signOut()}
          style={{ borderRadius: 12 }}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.content ?? ''}>
        <ErrorBoundary at={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  )
}

/** A panel's own start, which ends in a slash, is a page like the others and not above them all. */
function isAt(pathname: string, to: string): boolean {
  return to.endsWith('/') ? `${pathname}/`.replace(/\/+$/, '/') === to : pathname.startsWith(to)
}
