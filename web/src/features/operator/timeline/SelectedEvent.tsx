import { ActionIcon, Button, Group, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { EventDetail } from '@/features/operator/EventDetail'
import { JsonTree } from '@/features/operator/JsonTree'
import { useTexts } from '@/lib/texts'

import { type TimelineEvent, POSITIONS } from './history'
import { millisecondText } from './format-time'
import classes from './timeline.module.css'

interface Props {
  timelineEvent: TimelineEvent
  onClose: () => void
  /** Goes to the moment in which it happened. */
  onSeek: (t: number) => void
}

/** The content of an event. The log has no positions, so theirs comes from the timeline. */
export function SelectedEvent({ timelineEvent, onClose, onSeek }: Props) {
  const t = useTexts()
  return (
    <section className={classes.selectedEvent} aria-label={t('operator.timelineChosen')} data-testid="picked">
      <Button size="compact-sm" variant="default" mb="sm" onClick={() => { onSeek(timelineEvent.at) }}>
        {t('operator.timelineGoThere', { time: millisecondText(timelineEvent.at) })}
      </Button>
      {timelineEvent.lane === POSITIONS ? (
        <>
          <Group justify="space-between" wrap="nowrap">
            <Title order={2} size="h3">
              {timelineEvent.name}
            </Title>
            <ActionIcon variant="subtle" color="gray" aria-label={t('operator.close')} onClick={onClose}>
              <IconX size={18} />
            </ActionIcon>
          </Group>
          <JsonTree value={timelineEvent.event.data} label={t('operator.payload')} />
        </>
      ) : (
        <EventDetail key={timelineEvent.id} at={{ stream: timelineEvent.view.stream, seq: timelineEvent.view.seq }} onClose={onClose} />
      )}
    </section>
  )
}
