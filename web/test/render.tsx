import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router'

// Queries notify as soon as they do in the app.
import '@/app/query-client'
import { session, type SessionUser } from '@/lib/session'
import { Overlays } from '@/ui/Overlays'
import { theme } from '@/ui/theme'

/** Shows a page at `at`; other addresses show their own text, so that a test sees where it was led. */
export function show(page: ReactNode, at = '/', path = at.split('?')[0] ?? '/') {
  window.history.replaceState(null, '', at)
  const router = createBrowserRouter([
    { path, element: page },
    { path: '*', element: <p>elsewhere</p> },
  ])
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <I18nProvider i18n={i18n}>
      <MantineProvider theme={theme} env="test">
        <QueryClientProvider client={queries}>
          <Overlays />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>,
  )
  return router
}

/** A session with a token that lasts. */
export function signIn(over: Partial<SessionUser> = {}, token = tokenFor(900)) {
  session.start(token, {
    _id: 'u1',
    id: 'u1',
    email: 'customer@tiffin.local',
    role: 'customer',
    firstName: 'Nimali',
    lastName: 'Jayasuriya',
    emailVerified: true,
    ...over,
  })
}

let made = 0

/** A token as far as a browser reads one; ends in `seconds`. */
export function tokenFor(seconds: number): string {
  made += 1
  const claims = { exp: Math.floor(Date.now() / 1000) + seconds, made }
  return `head.${btoa(JSON.stringify(claims))}.sign`
}
