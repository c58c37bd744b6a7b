import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import { messageOf } from '@/api/problem'
import { uploadPicture } from '@/api/upload'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { toast } from '@/ui/toast'

interface Props {
  src: string | null | undefined
  label: string
  /** The message once it is uploaded. */
  done: string
  /** The message when it could not be uploaded; the site's usual words when left out. */
  failed?: string
  error?: string | undefined
  /** Gets the picture's URL. The upload has succeeded once this resolves. */
  onUploaded: (url: string) => void | Promise<void>
}

/** A person's picture, and the button that puts another in its place. */
export function PictureField({ src, label, done, failed, error, onUploaded }: Props) {
  const t = useTexts()
  const upload = useMutation({
    mutationFn: async (file: File | null) => {
      await onUploaded(await uploadPicture(file))
    },
    onSuccess: () => {
      toast.success(done)
    },
    onError: () => {
      toast.error(failed ?? t('account.imageFailed'))
    },
  })
  const fault = upload.error === null ? error : messageOf(upload.error, upload.error.message)
  return (
    <Group wrap="nowrap">
      <Picture src={src} alt="" kind="person" width={72} height={72} round eager />
      <Stack gap={4}>
        <FileButton
          accept="image/jpeg,image/png,image/webp,image/gif"
          inputProps={{ 'aria-label': label }}
          onChange={(file) => {
            upload.mutate(file)
          }}
        >
          {(button) => (
            <Button {...button} variant="default" size="xs" leftSection={<IconUpload size={16} />} loading={upload.isPending}>
              {label}
            </Button>
          )}
        </FileButton>
        {fault !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
      </Stack>
    </Group>
  )
}
