import { Box, Group, Text } from '@mantine/core'
import { Suspense } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'

import { Loading } from '@/ui/states'

import { Header } from './Header'
import classes from './SiteShell.module.css'

/** The frame of the customer site. */
export function SiteShell() {
  return (
    <div className={classes.frame}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Header />
      <Box component="main" id="content" className={classes.content ?? ''} tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Box>
      <footer className={classes.footer}>
        <Group justify="center">
          <Text size="sm" c="dimmed">
            Tiffin: from kitchens nearby to your door.
          </Text>
        </Group>
      </footer>
      <ScrollRestoration />
    </div>
  )
}
