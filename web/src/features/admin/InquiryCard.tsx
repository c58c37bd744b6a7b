import { Badge, Button, Card, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'

import type { Inquiry } from '@/api/generated/types.gen'
import { dateText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { dialog } from '@/ui/confirm'

import classes from './admin.module.css'
import { useInquiryActions } from './inquiry-actions'

/** One inquiry, to be answered. */
export function InquiryCard({ inquiry }: { inquiry: Inquiry }) {
  const t = useTexts()
  const { respond, remove, isBusy } = useInquiryActions(inquiry)
  // An unedited field follows the stored answer: another administrator may have answered meanwhile.
  const [draft, setDraft] = useState<string | null>(null)
  const response = draft ?? inquiry.response ?? ''
  const isAnswered = Boolean(inquiry.response)
  const send = () => {
    const text = response.trim()
    if (text === '') dialog.warning(t('admin.warning'), t('admin.responseEmpty'))
    else respond(text, () => { setDraft(null) })
  }
  return (
    <Card component="article" withBorder className={classes.inquiry ?? ''} aria-label={t('admin.inquiryName', { email: inquiry.email })}>
      <Stack gap="sm" style={{ flex: 1 }}>
        <Group justify="space-between" gap="xs">
          <Badge variant="light" color={isAnswered ? 'leaf' : 'amber'}>
            {isAnswered ? t('admin.answered') : t('admin.unanswered')}
          </Badge>
          <Text size="xs" c="dimmed">
            {dateText(inquiry.createdAt)}
          </Text>
        </Group>
        <dl className={classes.details}>
          <div>
            <dt>{t('admin.id')}</dt>
            <dd className={classes.id}>{inquiry.id}</dd>
          </div>
          <div>
            <dt>{t('admin.phone')}</dt>
            <dd>{inquiry.phone ? inquiry.phone : t('admin.unknown')}</dd>
          </div>
          <div>
            <dt>{t('admin.email')}</dt>
            <dd>{inquiry.email}</dd>
          </div>
        </dl>
        <Text className={classes.message ?? ''}>{inquiry.message}</Text>
        <Textarea
          mt="auto"
          rows={3}
          maxLength={2000}
          label={t('admin.response')}
          aria-label={t('admin.responseTo', { email: inquiry.email })}
          value={response}
          onChange={(event) => {
            setDraft(event.currentTarget.value)
          }}
        />
        <Group gap="xs">
          <Button size="compact-md" disabled={isBusy} onClick={send}>
            {t('admin.sendResponse')}
          </Button>
          <Button
            size="compact-md"
            variant="light"
            color="red"
            aria-label={t('admin.deleteInquiry', { email: inquiry.email })}
            disabled={isBusy}
            onClick={() => void remove()}
          >
            {t('admin.delete')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
