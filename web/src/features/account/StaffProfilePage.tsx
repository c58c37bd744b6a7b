import { Stack } from '@mantine/core'

import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'

import { AccountActions } from './AccountActions'
import { ProfileForm } from './ProfileForm'
import { RestoreSession } from './RestoreSession'
import { SecondContact } from './SecondContact'
import { TwoStep } from './two-step/TwoStep'
import { YourData } from './YourData'

/** The profile of an owner, a driver or an administrator. */
export function StaffProfilePage() {
  const t = useTexts()
  const user = useSessionUser()
  if (user === null) return <RestoreSession />
  return (
    <Page title={t('account.profile')} size="sm">
      <Stack gap="lg">
        <ProfileForm key={user.id} user={user} isCustomer={false} />
        {user.role === 'restaurant' && <SecondContact />}
        <TwoStep />
        <YourData />
        <AccountActions userId={user.id} />
      </Stack>
    </Page>
  )
}
