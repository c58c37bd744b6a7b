import { Button, Group, Progress, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'

import { exportMatches, exportStream } from '@/api/history'
import type { ListQuery } from '@/api/pages'
import { isProblem, messageOf } from '@/api/problem'
import { downloadFile } from '@/lib/download-file'
import { useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'

import { Dialog } from './Dialog'
import { countText } from './format'
import { ReasonField } from './ReasonField'

interface Props {
  /** '' where no stream is chosen. */
  stream: string
  /** The current search; undefined if only a whole stream is exported. */
  query?: ListQuery | undefined
  onClose: () => void
}

/** Saves events as NDJSON: those that match, masked, or a whole stream with everything. */
export function ExportDialog({ stream, query, onClose }: Props) {
  const t = useTexts()
  const [what, setWhat] = useState(query === undefined ? 'stream' : 'matches')
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [done, setDone] = useState<{ lines: number; of: number | null } | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const saving = useMutation({
    mutationFn: async () => {
      const { signal } = (stop.current = new AbortController())
      const onProgress = (lines: number, of: number | null) => {
        setDone({ lines, of })
      }
      if (what === 'matches') downloadFile('events.ndjson', await exportMatches(query ?? {}, onProgress, signal))
      else downloadFile(`${stream}.ndjson`, await exportStream(stream, reason.trim(), onProgress, signal))
    },
  })
  const isWhole = what === 'stream'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(isWhole && reason.trim() === '')
    if (!isWhole || reason.trim() !== '') saving.mutate()
  }
  const refused = isProblem(saving.error) ? saving.error.fields.reason : undefined
  return (
    <Dialog title={t('operator.exportTitle')} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {query !== undefined && (
            <Radio.Group label={t('operator.exportWhat')} value={what} onChange={setWhat}>
              <Stack gap="xs" mt={6}>
                <Radio value="matches" label={t('operator.exportMatches')} description={t('operator.exportMatchesHint')} />
                <Radio
                  value="stream"
                  disabled={stream === ''}
                  label={stream === '' ? t('operator.exportStreamChoose') : t('operator.exportStream', { stream })}
                  description={t('operator.exportStreamHint')}
                />
              </Stack>
            </Radio.Group>
          )}
          {query === undefined && <Text size="sm">{t('operator.exportWhole', { stream })}</Text>}
          {isWhole && (
            <ReasonField value={reason} onChange={setReason} error={refused ?? (isMissing && t('operator.reasonNeeded'))} />
          )}
          {done !== null && (
            <div role="status">
              <Progress
                aria-label={t('operator.exportTitle')}
                value={saving.isSuccess ? 100 : done.of === null ? 100 : (done.lines / Math.max(1, done.of)) * 100}
                animated={saving.isPending && done.of === null}
              />
              <Text size="sm" mt={4}>
                {saving.isSuccess
                  ? t('operator.exported', { count: done.lines })
                  : done.of === null
                    ? t('operator.linesSoFar', { lines: countText(done.lines) })
                    : t('operator.linesOf', { lines: countText(done.lines), all: countText(done.of) })}
              </Text>
            </div>
          )}
          {saving.error !== null && refused === undefined && <Failure message={messageOf(saving.error, t('operator.exportFailed'))} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {saving.isSuccess ? t('operator.close') : t('operator.leave')}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {t('operator.download')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
