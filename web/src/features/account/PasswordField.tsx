import { PasswordInput } from '@mantine/core'
import type { ComponentProps } from 'react'

import { useTexts } from '@/lib/texts'

/** A password, and the button that shows what was typed. */
export function PasswordField(props: ComponentProps<typeof PasswordInput>) {
  const t = useTexts()
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }} {...props} />
}
