import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

import { useTexts } from '@/lib/texts'

/** The bell, and how many notifications wait to be read. */
export function BellButton({ unread, ...rest }: { unread: number } & Omit<ComponentPropsWithRef<'button'>, 'style' | 'color'>) {
  const t = useTexts()
  return (
    <Indicator label={unread > 99 ? '99+' : unread} size={17} offset={6} disabled={unread === 0} color="ember">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('app.bell', { count: unread })}
        aria-haspopup="dialog"
        {...rest}
      >
        <IconBell size={21} stroke={1.7} />
      </ActionIcon>
    </Indicator>
  )
}
