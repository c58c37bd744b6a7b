import { Badge, Button, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { healthQuery, socketQuery } from '@/api/health'
import { type TextId, useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'

function State({ up }: { up: boolean }) {
  const t = useTexts()
  return (
    <Badge variant="light" color={up ? 'leaf' : 'red'}>
      {up ? t('app.testingUp') : t('app.testingDown')}
    </Badge>
  )
}

function Milliseconds({ value }: { value: number | null | undefined }) {
  const t = useTexts()
  return value == null ? t('app.notAvailable') : t('app.testingMs', { count: Math.round(value) })
}

const headings: TextId[] = ['app.testingService', 'app.testingState', 'app.testingAnswer']

/** The running version, the health of the services, and the response time of the live bridge. */
export function TestingPage() {
  const t = useTexts()
  const health = useQuery(healthQuery())
  const socket = useQuery(socketQuery())
  return (
    <Page
      title={t('app.testing')}
      lead={t('app.testingLead')}
      aside={
        <Button
          variant="default"
          loading={health.isFetching || socket.isFetching}
          onClick={() => {
            void health.refetch()
            void socket.refetch()
          }}
        >
          {t('app.testingMeasure')}
        </Button>
      }
    >
      <Stack component="section" gap="xs">
        <Title order={2}>{t('app.testingBuild')}</Title>
        <Text ff="monospace" data-testid="build">
          {import.meta.env.VITE_BUILD}
        </Text>
      </Stack>
      <Stack component="section" gap="xs">
        <Title order={2}>{t('app.testingServices')}</Title>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {headings.map((heading) => (
                <Table.Th key={heading}>{t(heading)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {health.data?.map(({ service, up, duration }) => (
              <Table.Tr key={service} data-service={service}>
                <Table.Td>{service}</Table.Td>
                <Table.Td>
                  <State up={up} />
                </Table.Td>
                <Table.Td>
                  <Milliseconds value={duration} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
      <Stack component="section" gap="xs">
        <Title order={2}>{t('app.testingLive')}</Title>
        <Text data-testid="live">
          {socket.isPending ? t('app.testingConnecting') : <Milliseconds value={socket.data} />}
        </Text>
      </Stack>
    </Page>
  )
}
