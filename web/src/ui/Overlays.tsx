import '@mantine/notifications/styles.layer.css'

import { useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

import { useSessionUser } from '@/lib/session'

import { markDialogsReady } from './overlay-state'
import classes from './Overlays.module.css'

/** Draws toasts and dialogs. Toasts cover nothing of a panel: they come one by one in its header, where that is wide. */
export function Overlays() {
  useEffect(markDialogsReady, [])
  const role = useSessionUser()?.role
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const isInHeader = isWide && role !== undefined && role !== 'customer'
  return (
    <ModalsProvider>
      <Notifications
        className={classes.toasts ?? ''}
        position={isInHeader ? 'top-center' : 'bottom-center'}
        limit={isInHeader ? 1 : 4}
      />
    </ModalsProvider>
  )
}
