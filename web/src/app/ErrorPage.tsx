import { Button, Center, Stack, Text, Title } from '@mantine/core'

import { useTexts } from '@/lib/texts'

/** The replacement of a page that broke. */
export function ErrorPage() {
  const t = useTexts()
  return (
    <Center mih="60vh" p="md" role="alert">
      <Stack align="center" gap="sm">
        <img src="/art/nothing-found.svg" alt="" width={200} height={150} />
        <Title order={1} ta="center">
          {t('app.somethingWrong')}
        </Title>
        <Text c="dimmed" ta="center" maw={420}>
          {t('app.somethingWrongHint')}
        </Text>
        <Button
          mt="sm"
          onClick={() => {
            window.location.reload()
          }}
        >
          {t('app.loadAgain')}
        </Button>
      </Stack>
    </Center>
  )
}
