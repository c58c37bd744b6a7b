import { ActionIcon, Button, Group, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { EventDetail } from '@/features/operator/EventDetail'
import { JsonTree } from '@/features/operator/JsonTree'
import { useTexts } from '@/lib/texts'

import { type Happening, POSITIONS } from './history'
import { fineText } from './times'
import classes from './timeline.module.css'

interface Props {
  one: Happening
  onClose: () => void
  /** Goes to the moment in which it happened. */
  onSeek: (t: number) => void
}

/** The content of an event. Positions are in no log, so theirs comes from the timeline. */
export function Picked({ one, onClose, onSeek }: Props) {
  const t = useTexts()
  return (
    <section className={classes.picked} aria-label={t('operator.timelineChosen')} data-testid="picked">
      <Button size="compact-sm" variant="default" mb="sm" onClick={() => { onSeek(one.at) }}>
        {t('operator.timelineGoThere', { time: fineText(one.at) })}
      </Button>
      {one.lane === POSITIONS ? (
        <>
          <Group justify="space-between" wrap="nowrap">
            <Title order={2} size="h3">
              {one.name}
            </Title>
            <ActionIcon variant="subtle" color="gray" aria-label={t('operator.close')} onClick={onClose}>
              <IconX size={18} />
            </ActionIcon>
          </Group>
          <JsonTree value={one.event.data} label={t('operator.payload')} />
        </>
      ) : (
        <EventDetail key={one.id} place={{ stream: one.view.stream, seq: one.view.seq }} onClose={onClose} />
      )}
    </section>
  )
}
