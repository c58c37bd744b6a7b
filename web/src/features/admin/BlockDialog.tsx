import { Button, Group, List, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { openRestaurantsQuery, ordersUnderWayOfUserQuery } from '@/api/consequences'
import type { BlockReason, User } from '@/api/generated/types.gen'
import { type TextId, useTexts } from '@/lib/texts'
import { submitByKeyboard } from '@/ui/submit-by-keyboard'

/** The reasons for a block, in the order in which they are offered. */
const REASONS: Record<BlockReason, TextId> = {
  fraud: 'admin.blockFraud',
  abuse: 'admin.blockAbuse',
  safety: 'admin.blockSafety',
  unreliable: 'admin.blockUnreliable',
  other: 'admin.blockOther',
}

/** The text of a reason. */
export function blockReasonText(reason: BlockReason): TextId {
  return REASONS[reason]
}

interface Props {
  user: User
  onBlock: (reason: BlockReason) => void
  onClose: () => void
}

/** Asks why an account is to be blocked, and says what follows. */
export function BlockDialog({ user, onBlock, onClose }: Props) {
  const t = useTexts()
  const [reason, setReason] = useState<BlockReason | null>(null)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('admin.blockQuestion', { email: user.email })}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': t('admin.close') }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <Stack
        component="form"
        gap="md"
        onKeyDown={submitByKeyboard}
        onSubmit={(event) => {
          event.preventDefault()
          if (reason !== null) onBlock(reason)
        }}
      >
        <Consequences user={user} />
        <NativeSelect
          label={t('admin.blockReason')}
          description={t('admin.blockReasonUse')}
          value={reason ?? ''}
          data-autofocus
          onChange={({ currentTarget: { value } }) => {
            setReason(Object.keys(REASONS).find((one): one is BlockReason => one === value) ?? null)
          }}
        >
          <option value="">{t('admin.blockReasonChoose')}</option>
          {Object.entries(REASONS).map(([value, key]) => (
            <option key={value} value={value}>
              {t(key)}
            </option>
          ))}
        </NativeSelect>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('admin.blockNot')}
          </Button>
          <Button type="submit" color="red" disabled={reason === null}>
            {t('admin.block')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** The consequences of a block, as far as they can be counted now. */
function Consequences({ user }: { user: User }) {
  const t = useTexts()
  const orders = useQuery(ordersUnderWayOfUserQuery(user.id))
  const restaurants = useQuery({ ...openRestaurantsQuery(user.id), enabled: user.role === 'restaurant' })
  if (orders.isLoading || restaurants.isLoading) return <Text role="status">{t('admin.blockLoading')}</Text>
  const sentences = [t('admin.blockSignsOut')]
  if (user.role === 'restaurant' && restaurants.data !== undefined) {
    sentences.push(t('admin.blockCloses', { count: restaurants.data.length }))
  }
  if (user.role === 'delivery') sentences.push(t('admin.blockStopsDriver'))
  if (orders.data !== undefined) sentences.push(t('admin.blockOrders', { count: orders.data }))
  const failed = orders.isError || restaurants.isError
  return (
    <>
      <List size="sm" spacing={4}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {failed && (
        <Text size="sm" role="alert">
          {t('admin.blockNotCounted')}
        </Text>
      )}
    </>
  )
}
