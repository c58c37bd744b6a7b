import { Button, Center, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { useTexts } from '@/lib/texts'

import classes from './states.module.css'

/** Something is on its way. */
export function Loading({ text }: { text?: string }) {
  const t = useTexts()
  return (
    <Center mih={200} role="status">
      <Group gap="sm">
        <Loader size="sm" />
        <Text c="dimmed">{text ?? t('app.loading')}</Text>
      </Group>
    </Center>
  )
}

/** The message of a failed request; `retry` repeats it. */
export function Failure({ message, retry }: { message: string; retry?: () => void }) {
  const t = useTexts()
  return (
    <div className={classes.failure} role="alert">
      <IconAlertCircle size={20} aria-hidden />
      <Text size="sm" className={classes.text ?? ''}>
        {message}
      </Text>
      {retry !== undefined && (
        <Button size="xs" color="red" variant="light" onClick={retry}>
          {t('app.tryAgain')}
        </Button>
      )}
    </div>
  )
}

interface EmptyProps {
  text: string
  /** A drawing of `public/art`. */
  art?: string
  hint?: string
  children?: ReactNode
}

/** The replacement of an empty list, with a hint of what to do. */
export function Empty({ text, art, hint, children }: EmptyProps) {
  return (
    <Center mih={220} py="lg">
      <Stack align="center" gap="xs">
        {art !== undefined && <img src={`/art/${art}.svg`} alt="" width={200} height={150} />}
        <Text fw={600} size="lg" ta="center">
          {text}
        </Text>
        {hint !== undefined && (
          <Text c="dimmed" ta="center" maw={420}>
            {hint}
          </Text>
        )}
        {children !== undefined && <Group mt="sm">{children}</Group>}
      </Stack>
    </Center>
  )
}
