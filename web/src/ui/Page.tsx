import { Container, Group, Stack, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'

interface Props {
  title: string
  /** Under the title, one line. An empty one keeps its place until it is known, so that nothing moves then. */
  lead?: string
  /** At the end of the title's line. */
  aside?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'fluid'
  children: ReactNode
}

/** The number of things that wait for the reader; shown in the browser's tab. */
export const TitleBadge = createContext(0)

/** A page with its heading; names the browser's tab, too. */
export function Page({ title, lead, aside, size = 'lg', children }: Props) {
  const waiting = use(TitleBadge)
  return (
    <Container size={size === 'fluid' ? undefined : size} fluid={size === 'fluid'} py={{ base: 'lg', sm: 'xl' }}>
      <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${title} · Tiffin`}</title>
      <Stack gap="lg">
        <Group justify="space-between" align="end" gap="sm">
          <div>
            <Title order={1}>{title}</Title>
            {lead !== undefined && (
              <Text c="dimmed" mt={4} mih="1lh">
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
