import '@mantine/notifications/styles.layer.css'

import { useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

import { useSessionUser } from '@/lib/session'

import { markDialogsReady } from './overlay-state'
import classes from './Overlays.module.css'

/** Draws toasts and dialogs. In a panel toasts come one by one, and cover nothing where it is wide: they are in its header. */
export function Overlays() {
  useEffect(markDialogsReady, [])
  const role = useSessionUser()?.role
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const isPanel = role !== undefined && role !== 'customer'
  const isInHeader = isWide && isPanel
  return (
    <ModalsProvider>
      <Notifications
        className={classes.toasts ?? ''}
        position={isInHeader ? 'top-center' : 'bottom-center'}
        limit={isPanel ? 1 : 4}
      />
    </ModalsProvider>
  )
}
