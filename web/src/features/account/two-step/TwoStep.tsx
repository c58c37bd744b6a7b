import { Button, Card, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShieldLock } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'

import classes from '@/features/account/account.module.css'
import { useTexts } from '@/lib/texts'
import { Loading } from '@/ui/states'

const TwoStepSettings = lazy(async () => ({ default: (await import('./TwoStepSettings')).TwoStepSettings }))

/** Two-step sign-in among a user's settings; fetched once it is opened. */
export function TwoStep() {
  const t = useTexts()
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-labelledby="two-step">
      <Stack gap="sm">
        <Title order={2} size="h3" id="two-step">
          {t('account.twoStep')}
        </Title>
        <Button variant="default" leftSection={<IconShieldLock size={18} aria-hidden />} aria-expanded={isOpen} onClick={toggle}>
          {t('account.twoStepOpen')}
        </Button>
        {isOpen && (
          <Suspense fallback={<Loading />}>
            <TwoStepSettings />
          </Suspense>
        )}
      </Stack>
    </Card>
  )
}
