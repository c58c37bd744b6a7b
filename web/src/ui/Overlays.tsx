import '@mantine/notifications/styles.layer.css'

import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

import { markDialogsReady } from './overlay-state'

/** Draws toasts and dialogs. */
export function Overlays() {
  useEffect(markDialogsReady, [])
  return (
    <ModalsProvider>
      <Notifications position="bottom-center" limit={4} />
    </ModalsProvider>
  )
}
