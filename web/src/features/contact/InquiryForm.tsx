import { Button, Stack, Title } from '@mantine/core'
import { useState } from 'react'

import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'

import { MAX_LENGTH, useOpenInquiry } from './inquiry-mutations'

export function InquiryForm() {
  const t = useTexts()
  const [message, setMessage] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const openInquiry = useOpenInquiry(setProblem)

  const submit = () => {
    const text = message.trim()
    setProblem(text === '' ? t('contact.enterMessage') : null)
    if (text === '') return
    openInquiry.mutate(text, {
      onSuccess: () => {
        setMessage('')
      },
    })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="md">
        <Title order={2}>{t('contact.newInquiry')}</Title>
        <GrowingTextarea
          label={t('contact.message')}
          description={t('contact.messageHint')}
          size="md"
          minRows={5}
          maxLength={MAX_LENGTH}
          value={message}
          error={problem}
          onChange={(event) => {
            setMessage(event.currentTarget.value)
          }}
        />
        <Button type="submit" size="md" loading={openInquiry.isPending}>
          {t('contact.send')}
        </Button>
      </Stack>
    </form>
  )
}
