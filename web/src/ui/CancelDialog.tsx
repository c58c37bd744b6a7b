import { Button, Group, Modal, Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { CANCEL_REASONS, type CancellableOrder, type Cancellation, type CancelReason, isCancelReason, reasonLabels } from './cancellation'
import { CancellationNote } from './CancellationNote'
import { priceAfterRefunds } from './refund'
import { Failure } from './states'
import { submitByKeyboard } from './submit-by-keyboard'

/** The longest note that the service takes, in characters. */
const MAX_NOTE = 200

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
          <Radio.Group
            label={t('cancellation.reason')}
            value={reason}
            error={isMissing && reason === null && t('cancellation.reasonNeeded')}
            onChange={(value) => {
              if (isCancelReason(value)) setReason(value)
            }}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={6} my={6}>
              {CANCEL_REASONS.map((value) => (
                <Radio key={value} value={value} label={t(reasonLabels[value])} />
              ))}
            </SimpleGrid>
          </Radio.Group>
          <Textarea
            label={t('cancellation.note')}
            description={t('cancellation.noteHint')}
            value={note}
            maxLength={MAX_NOTE}
            autosize
            minRows={2}
            onChange={(event) => {
              setNote(event.currentTarget.value)
            }}
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
