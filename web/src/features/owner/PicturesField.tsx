import { CloseButton, FileInput, Group, Loader, Stack } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import { uploadPicture } from '@/api/upload'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { toast } from '@/ui/toast'

import classes from './owner.module.css'

/** The most that a service keeps of one dish or restaurant. */
const MOST = 10

interface Props {
  label: string
  kind: 'dish' | 'restaurant'
  urls: string[]
  onChange: (urls: string[]) => void
  required?: boolean
  error?: string | undefined
}

/** Pictures and their previews; the first is the main one. */
export function PicturesField({ label, kind, urls, onChange, required = false, error }: Props) {
  const t = useTexts()
  const upload = useMutation({
    mutationFn: (files: File[]) => Promise.allSettled(files.map(uploadPicture)),
    onSuccess: (results) => {
      const arrived = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
      if (arrived.length < results.length) toast.error(t('owner.uploadFailed'))
      if (arrived.length > 0) onChange([...urls, ...arrived].slice(0, MOST))
    },
  })
  const failed = upload.data?.filter((result) => result.status === 'rejected') ?? []
  const reasons = failed.map(({ reason }: { reason: unknown }) => (reason instanceof Error ? reason.message : String(reason)))
  return (
    <Stack gap="xs">
      <FileInput
        label={label}
        description={t('owner.pictureLimits', { count: MOST })}
        required={required}
        multiple
        accept="image/jpeg,image/png,image/webp,image/gif"
        placeholder={t('owner.choosePictures')}
        leftSection={upload.isPending ? <Loader size={16} /> : <IconUpload size={16} />}
        disabled={upload.isPending || urls.length >= MOST}
        value={[]}
        onChange={(files) => {
          if (files.length > 0) upload.mutate(files)
        }}
        error={reasons.length > 0 ? [...new Set(reasons)].join(' ') : error}
      />
      {urls.length > 0 && (
        <Group component="ul" gap="sm" className={classes.previews ?? ''} aria-label={t('owner.previews')}>
          {urls.map((url, at) => (
            <li key={url} className={classes.preview}>
              <Picture src={url} alt={t('owner.picture', { number: at + 1 })} kind={kind} width={112} height={84} eager />
              <CloseButton
                size="sm"
                variant="filled"
                className={classes.discard ?? ''}
                aria-label={t('owner.removePicture', { number: at + 1 })}
                onClick={() => {
                  onChange(urls.filter((other) => other !== url))
                }}
              />
            </li>
          ))}
        </Group>
      )}
    </Stack>
  )
}
