import { Container, Stack } from '@mantine/core'

import { PictureField } from '@/features/account/PictureField'
import { TwoStep } from '@/features/account/two-step/TwoStep'
import { YourData } from '@/features/account/YourData'
import { DriverAvailablePage } from '@/features/driver/DriverAvailablePage'
import { LockedPhone } from '@/features/driver/phone/LockedPhone'
import { useTexts } from '@/lib/texts'

/** The driver's details with the picture field of accounts in them, and their phone: two features, put together here. */
export function DriverAvailable() {
  const t = useTexts()
  return (
    <>
      <DriverAvailablePage
        picture={(field) => (
          <PictureField {...field} label={t('driver.picture')} done={t('driver.uploaded')} failed={t('driver.uploadFailed')} />
        )}
      />
      <Container size="sm" w="100%" pb="lg">
        <Stack gap="lg">
          <LockedPhone />
          <TwoStep />
          <YourData />
        </Stack>
      </Container>
    </>
  )
}
