import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Delivery } from '@/api/generated/types.gen'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'

import classes from './account.module.css'
import { AccountActions } from './AccountActions'
import { CancelledOrders } from './CancelledOrders'
import { DeliveryHistory } from './DeliveryHistory'
import { NotificationSettings } from './NotificationSettings'
import { ProfileForm } from './ProfileForm'
import { TwoStep } from './two-step/TwoStep'
import { WaitingOrders } from './WaitingOrders'
import { YourData } from './YourData'

interface Props {
  /** Draws the live map of one delivery. */
  map: (delivery: Delivery) => ReactNode
}

/** The customer's details, orders and deliveries. */
export function ProfilePage({ map }: Props) {
  const t = useTexts()
  const user = useSessionUser()
  if (user === null) return null
  return (
    <Page title={t('account.hello', { name: user.firstName })}>
      <div className={classes.columns}>
        <Stack gap="lg">
          <ProfileForm key={user.id} user={user} />
          <NotificationSettings />
          <TwoStep />
          <YourData />
          <AccountActions userId={user.id} />
        </Stack>
        <Stack gap="lg" className={classes.history ?? ''}>
          <WaitingOrders />
          <CancelledOrders />
          <DeliveryHistory email={user.email} map={map} />
        </Stack>
      </div>
    </Page>
  )
}
