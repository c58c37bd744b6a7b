import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'

import { useTexts } from '@/lib/texts'

import classes from './board.module.css'
import type { Undoable } from './set-status'

/** Milliseconds in which a step can be taken back. */
const TIME = 10_000

interface Props {
  undoable: Undoable | null
  onUndo: () => void
  onDismiss: () => void
}

/** The last step, and the way back for ten seconds: by the button, or by U. */
export function UndoBar({ undoable, onUndo, onDismiss }: Props) {
  const t = useTexts()
  useEffect(() => {
    if (undoable === null) return
    const timer = setTimeout(onDismiss, TIME)
    return () => {
      clearTimeout(timer)
    }
  }, [undoable, onDismiss])
  return (
    <div className={classes.undo} role="status">
      {undoable !== null && (
        <>
          <Text size="sm">
            {t('owner.stepTaken', {
              order: undoable.orders.map(({ orderId }) => orderId).join(', '),
              status: t(`owner.${undoable.status}`),
            })}
          </Text>
          <Button size="compact-sm" variant="default" aria-keyshortcuts="U" onClick={onUndo}>
            {t('owner.undo')}
          </Button>
        </>
      )}
    </div>
  )
}
