import { Anchor, Stack } from '@mantine/core'
import { Link, Navigate, useNavigate } from 'react-router'

import { FormCard } from '@/features/account/FormCard'
import { useSignOut } from '@/features/account/sign-out'
import { homeOf, paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'

import { TwoStepSettings } from './TwoStepSettings'

/** Two-step sign-in alone on a page: for users who have to turn it on first, and for all others. */
export function TwoStepPage() {
  const t = useTexts()
  const user = useSessionUser()
  const navigate = useNavigate()
  const signOut = useSignOut()
  if (user === null) return <Navigate to={paths.login()} replace state={{ from: paths.twoStep() }} />
  const home = homeOf(user.role)
  return (
    <FormCard title={t('account.twoStep')} lead={user.mustEnrol === true ? t('account.mustEnrolLead') : t('account.twoStepLead')}>
      <Stack gap="sm">
        <TwoStepSettings onKept={() => void navigate(home, { replace: true })} />
        {user.mustEnrol === true ? (
          <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void signOut()}>
            {t('account.logout')}
          </Anchor>
        ) : (
          <Anchor component={Link} to={home} size="sm" ta="center">
            {t('account.goOn')}
          </Anchor>
        )}
      </Stack>
    </FormCard>
  )
}
