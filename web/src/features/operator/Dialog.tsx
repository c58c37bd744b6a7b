import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

import { useTexts } from '@/lib/texts'

interface Props {
  title: string
  size?: 'md' | 'xl'
  onClose: () => void
  children: ReactNode
}

/** A dialog of the console. */
export function Dialog({ title, size = 'md', onClose, children }: Props) {
  const t = useTexts()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      radius="lg"
      size={size}
      closeButtonProps={{ 'aria-label': t('operator.close') }}
      // The dialog's heading must not count as a second heading of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      {children}
    </Modal>
  )
}
