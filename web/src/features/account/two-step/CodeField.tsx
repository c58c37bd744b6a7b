import { TextInput, type TextInputProps } from '@mantine/core'

import { useTexts } from '@/lib/texts'

/** Six digits of the authenticator app; a recovery code, too, where `takesRecovery`. */
export function CodeField({ takesRecovery = true, ...others }: TextInputProps & { takesRecovery?: boolean }) {
  const t = useTexts()
  return (
    <TextInput
      label={t('account.appCode')}
      description={takesRecovery ? t('account.appCodeHint') : undefined}
      autoComplete="one-time-code"
      inputMode={takesRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={20}
      required
      withAsterisk={false}
      {...others}
    />
  )
}
