import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { setPreferences } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { preferencesQuery } from '@/api/preferences'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import classes from './account.module.css'

/** The address that gets a mail, too, of an owner's order that has no answer shortly before its deadline. */
export function SecondContact() {
  const t = useTexts()
  const { data, error, refetch } = useQuery(preferencesQuery())
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-labelledby="second-contact">
      <Stack gap="sm">
        <Title order={2} size="h3" id="second-contact">
          {t('account.secondContact')}
        </Title>
        {data !== undefined && <Field saved={data.secondContact ?? ''} />}
        {data === undefined && error === null && <Loading />}
        {data === undefined && error !== null && (
          <Failure message={messageOf(error, t('account.notifyLoadFailed'))} retry={() => void refetch()} />
        )}
      </Stack>
    </Card>
  )
}

function Field({ saved }: { saved: string }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [address, setAddress] = useState(saved)
  const save = useMutation({
    mutationFn: () => setPreferences({ body: { secondContact: address.trim() } }),
    onSuccess: (preferences) => {
      queries.setQueryData(preferencesQuery().queryKey, preferences)
      toast.success(t('account.secondContactSaved'))
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
      noValidate
    >
      <Stack gap="sm">
        <TextInput
          label={t('account.secondContactEmail')}
          type="email"
          autoComplete="off"
          value={address}
          error={save.error === null ? undefined : messageOf(save.error, t('account.notifyFailed'))}
          onChange={(event) => {
            setAddress(event.currentTarget.value)
          }}
        />
        <Text size="xs" c="dimmed">
          {t('account.secondContactHint')}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('account.secondContactSave')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
