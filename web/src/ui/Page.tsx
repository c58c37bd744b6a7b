import { Container, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  title: string
  /** Under the title, one line. */
  lead?: string
  /** At the end of the title's line. */
  aside?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'fluid'
  children: ReactNode
}

/** A page with its heading; names the browser's tab, too. */
export function Page({ title, lead, aside, size = 'lg', children }: Props) {
  return (
    <Container size={size === 'fluid' ? undefined : size} fluid={size === 'fluid'} py={{ base: 'lg', sm: 'xl' }}>
      <title>{`${title} · Tiffin`}</title>
      <Stack gap="lg">
        <Group justify="space-between" align="end" gap="sm">
          <div>
            <Title order={1}>{title}</Title>
            {lead !== undefined && (
              <Text c="dimmed" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {aside}
        </Group>
        {children}
      </Stack>
    </Container>
  )
}
