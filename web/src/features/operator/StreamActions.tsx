import { Anchor, Group } from '@mantine/core'
import { Link } from 'react-router'

import type { StreamView } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

/** What can be done about a stream. */
export function StreamActions({ stream: { name } }: { stream: StreamView }) {
  const t = useTexts()
  return (
    <Group gap="sm" wrap="nowrap">
      <Anchor component={Link} to={paths.operator.replays({ stream: name })} size="sm" aria-label={t('operator.replayStream', { stream: name })}>
        {t('operator.replay')}
      </Anchor>
    </Group>
  )
}
