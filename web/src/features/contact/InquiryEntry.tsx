import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'

import type { Inquiry } from '@/api/generated/types.gen'
import { dateTimeText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { confirmDelete } from '@/ui/confirm'

import classes from './contact.module.css'
import { MAX_LENGTH, useEditInquiry, useDeleteInquiry } from './inquiry-mutations'

interface EditorProps {
  inquiry: Inquiry
  onDone: () => void
}

function Editor({ inquiry, onDone }: EditorProps) {
  const t = useTexts()
  const [message, setMessage] = useState(inquiry.message)
  const [problem, setProblem] = useState<string | null>(null)
  const editInquiry = useEditInquiry()
  const save = () => {
    const text = message.trim()
    setProblem(text === '' ? t('contact.messageEmpty') : null)
    if (text === '') return
    // The words typed stay at hand until they are kept.
    editInquiry.mutate({ id: inquiry._id, message: text }, { onSuccess: onDone })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="xs">
        <GrowingTextarea
          label={t('contact.message')}
          rows={3}
          maxLength={MAX_LENGTH}
          autoFocus
          value={message}
          error={problem}
          onChange={(event) => {
            setMessage(event.currentTarget.value)
          }}
        />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={editInquiry.isPending}>
            {t('contact.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            {t('contact.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** One question, its answer once there is one, and its author's actions. */
export function InquiryEntry({ inquiry }: { inquiry: Inquiry }) {
  const t = useTexts()
  const [editing, setEditing] = useState(false)
  const deleteInquiry = useDeleteInquiry()
  const remove = async () => {
    if (await confirmDelete({ warning: t('contact.deleteWarning') })) deleteInquiry.mutate(inquiry._id)
  }
  const asked = dateTimeText(inquiry.createdAt)
  return (
    <li className={classes.entry} data-testid="inquiry">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {asked}
          </Text>
          <Badge size="sm" variant="light" color={inquiry.response ? 'leaf' : 'amber'}>
            {t(inquiry.response ? 'contact.answered' : 'contact.waiting')}
          </Badge>
        </Group>
        {!editing && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('contact.edit', { asked })}
              onClick={() => {
                setEditing(true)
              }}
            >
              <IconPencil size={18} stroke={1.7} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={t('contact.delete', { asked })} onClick={() => void remove()}>
              <IconTrash size={18} stroke={1.7} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      {editing ? (
        <Editor
          inquiry={inquiry}
          onDone={() => {
            setEditing(false)
          }}
        />
      ) : (
        <Text className={classes.text}>{inquiry.message}</Text>
      )}
      {inquiry.response && (
        <div className={classes.response}>
          <Text size="xs" fw={650}>
            {t('contact.response')}
          </Text>
          <Text className={classes.text}>{inquiry.response}</Text>
        </div>
      )}
    </li>
  )
}
