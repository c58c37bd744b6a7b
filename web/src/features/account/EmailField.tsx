import { TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'

import { useTexts } from '@/lib/texts'

/** The address of an account. */
export function EmailField(props: ComponentProps<typeof TextInput>) {
  const t = useTexts()
  return <TextInput label={t('account.email')} type="email" autoComplete="username" size="md" {...props} />
}
