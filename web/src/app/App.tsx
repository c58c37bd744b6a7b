import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { BrowserRouter } from 'react-router'

import { lazyPart } from '@/lib/lazy-part'
import { useOverlaysRequested } from '@/ui/overlay-state'
import { cssVariables, theme } from '@/ui/theme'

import { Fonts } from './Fonts'
import { ResetQueriesOnUserChange } from './ResetQueriesOnUserChange'
import { Live } from './Live'
import { queryClient } from './query-client'
import { ConnectivityBanner } from './ConnectivityBanner'
import { Routes } from './router'
import { ScrollRestoration } from './ScrollRestoration'

const Overlays = lazyPart(async () => ({ default: (await import('@/ui/Overlays')).Overlays }))

export function App() {
  const areOverlaysRequested = useOverlaysRequested()
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <ResetQueriesOnUserChange />
          <Fonts />
          <ConnectivityBanner />
          {areOverlaysRequested && (
            <Suspense>
              <Overlays />
            </Suspense>
          )}
          <Live>
            <BrowserRouter>
              <ScrollRestoration />
              <Routes />
            </BrowserRouter>
          </Live>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  )
}
