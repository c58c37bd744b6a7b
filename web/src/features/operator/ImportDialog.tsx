import { FileInput, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { importLines } from '@/api/history'
import { OPERATOR } from '@/api/operator'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { countText } from './format'
import { ReasonDialog } from './ReasonDialog'

/** Imports an export into a stream, with its ids and in its order. */
export function ImportDialog({ stream, onClose }: { stream: string; onClose: () => void }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [done, setDone] = useState<{ lines: number; of: number } | null>(null)
  return (
    <ReasonDialog
      title={t('operator.importTitle', { stream })}
      message={t('operator.importMessage')}
      confirm={t('operator.import')}
      check={() => {
        setMissing(file === null)
        return file !== null
      }}
      act={async (reason) => {
        if (file === null) return
        try {
          const stored = await importLines(stream, reason, file, (lines, of) => {
            setDone({ lines, of: of ?? lines })
          })
          toast.success(t('operator.imported', { count: stored, stream }))
        } finally {
          void queries.invalidateQueries({ queryKey: OPERATOR })
        }
      }}
      onClose={onClose}
    >
      <FileInput
        label={t('operator.file')}
        description={t('operator.fileHint', { stream })}
        placeholder={t('operator.chooseFile')}
        accept=".ndjson,application/x-ndjson"
        value={file}
        onChange={setFile}
        error={isMissing && file === null && t('operator.fileNeeded')}
      />
      {done !== null && (
        <div role="status">
          <Progress value={(done.lines / Math.max(1, done.of)) * 100} aria-label={t('operator.importTitle', { stream })} />
          <Text size="sm" mt={4}>
            {t('operator.linesOf', { lines: countText(done.lines), all: countText(done.of) })}
          </Text>
        </div>
      )}
    </ReasonDialog>
  )
}
