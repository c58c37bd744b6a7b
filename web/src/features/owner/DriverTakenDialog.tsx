import { Button, Group, Modal, Stack, Text } from '@mantine/core'

import { useTexts } from '@/lib/texts'

interface Props {
  driver: string
  onConfirm: () => void
  onDismiss: () => void
}

/** Asks whether a driver whom another restaurant picked a moment ago gets the order too. */
export function DriverTakenDialog({ driver, onConfirm, onDismiss }: Props) {
  const t = useTexts()
  return (
    <Modal
      opened
      onClose={onDismiss}
      title={t('owner.driverTaken')}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': t('app.close') }}
      // The dialog's heading must not count as a second heading of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      <Stack gap="md">
        <Text>{t('owner.takenMeanwhile', { driver })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onConfirm}>
            {t('owner.giveAnyway', { driver })}
          </Button>
          <Button onClick={onDismiss} data-autofocus>
            {t('owner.chooseAnother')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
