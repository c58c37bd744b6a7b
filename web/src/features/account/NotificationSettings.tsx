import { Card, NativeSelect, Stack, Switch, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { setPreferences } from '@/api/generated/sdk.gen'
import type { NotificationPreferences } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { preferencesQuery } from '@/api/preferences'
import { type Language, LANGUAGES, useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import classes from './account.module.css'
import { isPushSupported, unsubscribeFromPush, subscribeToPush } from './push'

const channels = [
  { name: 'inApp', label: 'account.notifyInApp' },
  { name: 'mail', label: 'account.notifyMail' },
  { name: 'push', label: 'account.notifyPush' },
] as const

const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))

function isLanguage(value: string): value is Language {
  return value in LANGUAGES
}

/** The channels by which a user is notified of their orders, and the language of mails. */
export function NotificationSettings() {
  const t = useTexts()
  const queries = useQueryClient()
  const { data, error, isPending, refetch } = useQuery(preferencesQuery())
  const { queryKey } = preferencesQuery()
  const change = useMutation({
    mutationFn: async (changes: Partial<NotificationPreferences>) => {
      if (changes.push === true) await subscribeToPush()
      if (changes.push === false) await unsubscribeFromPush()
      return setPreferences({ body: changes })
    },
    onMutate: async (changes) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (now) => (now === undefined ? now : { ...now, ...changes }))
      return before
    },
    onError: (cause, _, before) => {
      queries.setQueryData(queryKey, before)
      toast.error(messageOf(cause, t('account.notifyFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-labelledby="notify">
      <Stack gap="sm">
        <Title order={2} size="h3" id="notify">
          {t('account.notifyMe')}
        </Title>
        {isPending && <Loading />}
        {error !== null && <Failure message={messageOf(error, t('account.notifyLoadFailed'))} retry={() => void refetch()} />}
        {data !== undefined &&
          channels
            .filter(({ name }) => name !== 'push' || isPushSupported())
            .map(({ name, label }) => (
              <Switch
                key={name}
                label={t(label)}
                checked={data[name]}
                onChange={(event) => {
                  change.mutate({ [name]: event.currentTarget.checked })
                }}
              />
            ))}
        {data !== undefined && (
          <NativeSelect
            label={t('account.mailLanguage')}
            value={data.language ?? 'en'}
            data={languages}
            onChange={({ currentTarget: { value } }) => {
              if (isLanguage(value)) change.mutate({ language: value })
            }}
          />
        )}
        <Text size="xs" c="dimmed">
          {t('account.notifyHint')}
        </Text>
      </Stack>
    </Card>
  )
}
