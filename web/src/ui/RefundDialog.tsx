import { Button, Group, Modal, NumberInput, Radio, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import { config } from '@/lib/config'
import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { REFUND_REASONS, type RefundableOrder, refundLabels, type RefundReason } from './refund'
import { ReasonFields } from './ReasonFields'
import { Failure, Loading } from './states'
import { submitByKeyboard } from './submit-by-keyboard'

/** The room for refunds of an order. */
export interface RefundRoom {
  totalAmount: number
  refunded: number
  /** The most that the reader may refund now. */
  refundable: number
}

export interface RefundDialogProps {
  order: RefundableOrder
  /** Undefined until it is fetched. */
  room: RefundRoom | undefined
  isBusy: boolean
  /** The refusal of the last try, or why the room is unknown. */
  failure: string | null
  onRefund: (amount: number, reason: RefundReason, note: string) => void
  onClose: () => void
}

type Part = 'whole' | 'part'

/** Asks for the amount and the reason of a refund. */
export function RefundDialog({ order, room, isBusy, failure, onRefund, onClose }: RefundDialogProps) {
  const t = useTexts()
  const [chosen, setChosen] = useState<Part | null>(null)
  const [amount, setAmount] = useState<number | string>('')
  const [reason, setReason] = useState<RefundReason | null>(null)
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const left = room === undefined ? 0 : room.totalAmount - room.refunded
  const most = room?.refundable ?? 0
  const isWholeAllowed = most >= left - 0.001
  const part = chosen ?? (isWholeAllowed ? 'whole' : 'part')
  const amountBack = part === 'whole' ? most : Number(amount)
  const isAmountGood = amountBack > 0 && amountBack <= most
  const submit = () => {
    setMissing(reason === null || !isAmountGood)
    if (reason !== null && isAmountGood && !isBusy) onRefund(amountBack, reason, note.trim())
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('refund.title')}
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
            <Text size="sm">
              {order.Item_name === undefined ? order.orderId : `${String(order.quantity)} × ${order.Item_name} (${order.orderId})`}
            </Text>
            {room !== undefined && room.refunded > 0 && (
              <Text size="sm" c="dimmed">
                {t('refund.before', { amount: moneyText(room.refunded), price: moneyText(room.totalAmount) })}
              </Text>
            )}
          </Stack>
          {room === undefined && failure === null && <Loading />}
          {room !== undefined && most === 0 && <Text size="sm">{t('refund.nothing')}</Text>}
          {most > 0 && (
            <>
              <Radio.Group
                label={t('refund.amount')}
                value={part}
                onChange={(value) => {
                  setChosen(value === 'whole' ? 'whole' : 'part')
                }}
              >
                <Stack gap={6} my={6}>
                  {isWholeAllowed && <Radio value="whole" label={t('refund.whole', { amount: moneyText(left) })} />}
                  <Radio value="part" label={t('refund.part', { amount: moneyText(most) })} />
                </Stack>
              </Radio.Group>
              {part === 'part' && (
                <NumberInput
                  label={t('refund.partAmount')}
                  value={amount}
                  decimalScale={config().currency.decimals}
                  allowNegative={false}
                  hideControls
                  inputMode="decimal"
                  error={isMissing && !isAmountGood && t('refund.amountNeeded', { amount: moneyText(most) })}
                  onChange={setAmount}
                />
              )}
              <ReasonFields
                area="refund"
                reasons={REFUND_REASONS}
                labels={refundLabels}
                reason={reason}
                note={note}
                isMissing={isMissing}
                onReason={setReason}
                onNote={setNote}
              />
            </>
          )}
          {failure !== null && <Failure message={failure} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" data-autofocus onClick={onClose}>
              {t('refund.close')}
            </Button>
            {most > 0 && (
              <Button type="submit" loading={isBusy} aria-keyshortcuts="Control+Enter">
                {isAmountGood ? t('refund.refundAmount', { amount: moneyText(amountBack) }) : t('refund.refund')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
