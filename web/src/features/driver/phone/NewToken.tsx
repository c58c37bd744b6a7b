import { ActionIcon, Alert, Anchor, Button, Center, Loader, SegmentedControl, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { Suspense, useState } from 'react'

import { lazyPart } from '@/lib/lazy-part'
import { useTexts } from '@/lib/texts'

import classes from './phone.module.css'
import { type Program, PROGRAMS, type Settings, settingsOf } from './settings'

const QrCode = lazyPart(async () => ({ default: (await import('./QrCode')).QrCode }))

const choices = (['traccar', 'ownTracks'] satisfies Program[]).map((value) => ({ value, label: PROGRAMS[value] }))

/** A token that was just made, with the ways to give it to a program on the phone. */
export function NewToken({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useTexts()
  const [chosen, setChosen] = useState<Program>('traccar')
  const program = PROGRAMS[chosen]
  const { link, fields } = settingsOf(chosen, token)
  return (
    <Stack gap="sm" data-testid="new-token">
      <Alert color="amber" variant="light" icon={<IconKey size={18} />} role="status" py="xs">
        {t('driver.lockedOnce')}
      </Alert>
      <SegmentedControl
        fullWidth
        aria-label={t('driver.lockedProgram')}
        data={choices}
        value={chosen}
        onChange={setChosen}
      />
      <Text size="sm">{t(chosen === 'traccar' ? 'driver.lockedScanTraccar' : 'driver.lockedScanOwnTracks')}</Text>
      <div className={classes.qrBox}>
        <Suspense fallback={<Center h={300}><Loader size="sm" /></Center>}>
          <QrCode text={link} label={t('driver.lockedQrCode', { program })} />
        </Suspense>
      </div>
      {/* Traccar Client reads codes in its settings alone. */}
      {chosen === 'ownTracks' && (
        <Anchor href={link} size="sm">
          {t('driver.lockedOpenHere', { program })}
        </Anchor>
      )}
      <Text size="sm">{t('driver.lockedTyped')}</Text>
      {fields.map((field) => (
        <Field key={`${chosen} ${field.name}`} {...field} />
      ))}
      <Button onClick={onDone}>{t('driver.lockedDone')}</Button>
    </Stack>
  )
}

/** One setting, with a button that copies it. */
function Field({ name, value }: Settings['fields'][number]) {
  const t = useTexts()
  const { copy, copied } = useClipboard({ timeout: 2_000 })
  const field = t(`driver.locked${name}`)
  return (
    <div className={classes.field}>
      <div>
        <Text size="xs" c="dimmed">
          {field}
        </Text>
        <Text component="span" className={classes.value} data-setting={name}>
          {value}
        </Text>
      </div>
      <ActionIcon
        variant="default"
        size={44}
        aria-label={copied ? t('driver.lockedCopied') : t('driver.lockedCopy', { field })}
        onClick={() => {
          copy(value)
        }}
      >
        {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </ActionIcon>
    </div>
  )
}
