import { Card, Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { Brand } from '@/ui/Brand'

import classes from './account.module.css'

/** A form alone on its page: signing in, verifying. */
export function FormCard({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <Center component="main" className={classes.backdrop ?? ''}>
      <title>{`${title} · Tiffin`}</title>
      <Stack gap="lg" w="100%" maw={400}>
        <Center>
          <Brand />
        </Center>
        <Card withBorder shadow="md" padding="xl" className={classes.card}>
          <Stack gap="md">
            <div>
              <Title order={1} fz={26}>
                {title}
              </Title>
              {lead !== undefined && (
                <Text c="dimmed" mt={4}>
                  {lead}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Card>
      </Stack>
    </Center>
  )
}
