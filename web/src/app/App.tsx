import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'

import { cssVariables, theme } from '@/ui/theme'

import { Forget } from './Forget'
import { Live } from './Live'
import { queryClient } from './query-client'
import { router } from './router'

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="bottom-center" limit={4} />
        <QueryClientProvider client={queryClient}>
          <Forget />
          <Live>
            <ModalsProvider>
              <RouterProvider router={router} />
            </ModalsProvider>
          </Live>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  )
}
