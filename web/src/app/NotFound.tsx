import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

export function NotFound() {
  const t = useTexts()
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm">
        <img src="/art/not-found.svg" alt="" width={220} height={160} />
        <Title order={1} ta="center">
          {t('app.pageNotFound')}
        </Title>
        <Text c="dimmed" ta="center">
          {t('app.pageNotFoundHint')}
        </Text>
        <Button component={Link} to={paths.home()} mt="sm">
          {t('app.backToTheStart')}
        </Button>
      </Stack>
    </Center>
  )
}
