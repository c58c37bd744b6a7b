import { ActionIcon, CloseButton, FileInput, Group, Loader, Stack } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { flushSync } from 'react-dom'

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
  const isClosed = upload.isPending || urls.length >= MOST
  const take = (files: File[]) => {
    if (files.length > 0 && !isClosed) upload.mutate(files)
  }
  const { isOver, ...dropped } = useDrop(take)
  return (
    <Stack gap="xs" className={classes.pictures ?? ''} data-over={(isOver && !isClosed) || undefined} {...dropped}>
      <FileInput
        label={label}
        description={t('owner.pictureLimits', { count: MOST })}
        required={required}
        multiple
        accept="image/jpeg,image/png,image/webp,image/gif"
        placeholder={t('owner.choosePictures')}
        leftSection={upload.isPending ? <Loader size={16} /> : <IconUpload size={16} />}
        disabled={isClosed}
        value={[]}
        onChange={take}
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
              {urls.length > 1 && <MoveButtons urls={urls} at={at} onChange={onChange} />}
            </li>
          ))}
        </Group>
      )}
    </Stack>
  )
}

/** Moves a picture one place. */
function MoveButtons({ urls, at, onChange }: { urls: string[]; at: number; onChange: (urls: string[]) => void }) {
  const t = useTexts()
  const move = (button: HTMLButtonElement, to: number) => {
    const others = urls.toSpliced(at, 1)
    flushSync(() => {
      onChange(others.toSpliced(to, 0, ...urls.slice(at, at + 1)))
    })
    // Browsers take the focus from what moves, and from a button that ends.
    const next = button.disabled ? button.parentElement?.querySelector<HTMLButtonElement>('button:enabled') : button
    next?.focus()
  }
  const ways = [
    { to: at - 1, label: t('owner.moveForward', { number: at + 1 }), Icon: IconChevronLeft },
    { to: at + 1, label: t('owner.moveBack', { number: at + 1 }), Icon: IconChevronRight },
  ]
  return (
    <Group justify="center" gap={8} mt={4}>
      {ways.map(({ to, label, Icon }, way) => (
        <ActionIcon
          key={way}
          size={28}
          variant="default"
          aria-label={label}
          disabled={to < 0 || to >= urls.length}
          onClick={(event) => {
            move(event.currentTarget, to)
          }}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </Group>
  )
}

/** Takes the files that are dropped on an element. */
function useDrop(take: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => {
      setIsOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      take([...event.dataTransfer.files])
    },
  }
}
