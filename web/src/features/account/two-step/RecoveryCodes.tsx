import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

import { downloadFile } from '@/lib/download-file'
import { useTexts } from '@/lib/texts'

import classes from './two-step.module.css'

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTexts()
  return (
    <Stack gap="sm">
      <Alert color="leaf" role="status">
        {t('account.recoveryLead')}
      </Alert>
      <ul className={classes.codes} aria-label={t('account.recoveryCodes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {t('account.recoveryHint')}
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => {
            downloadFile('tiffin-recovery-codes.txt', new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
          }}
        >
          {t('account.saveCodes')}
        </Button>
        <Button onClick={onKept}>{t('account.codesKept')}</Button>
      </Group>
    </Stack>
  )
}
