import { FileButton, Button, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import { uploadPicture } from '@/api/upload'
import { Picture } from '@/ui/Picture'
import { toast } from '@/ui/toast'

interface Props {
  src: string | null | undefined
  label: string
  /** What to say once it is there. */
  done: string
  error?: string | undefined
  onUploaded: (url: string) => void
}

/** A person's picture, and the button that puts another in its place. */
export function PictureField({ src, label, done, error, onUploaded }: Props) {
  const upload = useMutation({
    mutationFn: (file: File) => uploadPicture(file),
    onSuccess: (url) => {
      toast.success(done)
      onUploaded(url)
    },
    onError: () => {
      toast.error('Image upload failed.')
    },
  })
  return (
    <Group wrap="nowrap">
      <Picture src={src} alt="" kind="person" width={72} height={72} round eager />
      <Stack gap={4}>
        <FileButton
          accept="image/jpeg,image/png,image/webp,image/gif"
          inputProps={{ 'aria-label': label }}
          onChange={(file) => {
            if (file !== null) upload.mutate(file)
          }}
        >
          {(button) => (
            <Button {...button} variant="default" size="xs" leftSection={<IconUpload size={16} />} loading={upload.isPending}>
              {label}
            </Button>
          )}
        </FileButton>
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Group>
  )
}
