import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'

export function NotFound() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm">
        <img src="/art/not-found.svg" alt="" width={220} height={160} />
        <Title order={1} ta="center">
          404 Error: Page is Not Found
        </Title>
        <Text c="dimmed" ta="center">
          The address may be old, or mistyped.
        </Text>
        <Button component={Link} to={paths.home()} mt="sm">
          Back to the start
        </Button>
      </Stack>
    </Center>
  )
}
