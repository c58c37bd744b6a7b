import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { CANCEL_REASONS, type CancellableOrder, type Cancellation, type CancelReason, reasonLabels } from './cancellation'
import { CancellationNote } from './CancellationNote'
import { priceAfterRefunds } from './refund'
import { ReasonFields } from './ReasonFields'
import { Failure } from './states'
import { submitByKeyboard } from './submit-by-keyboard'

export interface CancelDialogProps {
  /** The orders of one checkout that are to be cancelled. */
  orders: CancellableOrder[]
  isBusy: boolean
  /** The refusal of the last try. */
  failure: string | null
  onCancel: (reason: CancelReason, note: string) => void
  onClose: () => void
}

/** Asks for the reason of a cancellation, and shows what follows from it and what the customer will read. */
export function CancelDialog({ by, orders, isBusy, failure, onCancel, onClose }: CancelDialogProps & Pick<Cancellation, 'by'>) {
  const t = useTexts()
  const [reason, setReason] = useState<CancelReason | null>(null)
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const paid = orders.filter(({ isPaid }) => isPaid).reduce((sum, order) => sum + priceAfterRefunds(order), 0)
  const submit = () => {
    setMissing(reason === null)
    if (reason !== null && !isBusy) onCancel(reason, note.trim())
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('cancellation.title', { count: orders.length })}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': t('app.close') }}
      // The dialog's heading must not count as a second heading of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      <form
        noValidate
        onKeyDown={submitByKeyboard}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          <Stack gap={2}>
            {orders.map((order) => (
              <Text key={order.orderId} size="sm">
                {order.quantity} × {order.Item_name} ({order.orderId})
              </Text>
            ))}
            <Text size="sm" fw={650}>
              {paid > 0 ? t('cancellation.goesBack', { amount: moneyText(paid) }) : t('cancellation.nothingPaid')}
            </Text>
          </Stack>
          <ReasonFields
            area="cancellation"
            reasons={CANCEL_REASONS}
            labels={reasonLabels}
            reason={reason}
            note={note}
            isMissing={isMissing}
            onReason={setReason}
            onNote={setNote}
          />
          {reason !== null && (
            <section aria-label={t('cancellation.customerReads')}>
              <Text size="xs" c="dimmed">
                {t('cancellation.customerReads')}
              </Text>
              <CancellationNote reader="customer" cancellation={{ by, reason, note: note.trim() }} />
            </section>
          )}
          {failure !== null && <Failure message={failure} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" data-autofocus onClick={onClose}>
              {t('cancellation.keep')}
            </Button>
            <Button type="submit" color="red.9" loading={isBusy} aria-keyshortcuts="Control+Enter">
              {t(paid > 0 ? 'cancellation.cancelAndRefund' : 'cancellation.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
