import { describe, expect, it } from 'vitest'

import { text, type TextId } from './texts'

// As compiled: a text, or its parts, of which a list begins with the name of what is put in.
type Part = string | [name: string, type?: string, forms?: Record<string, Part[] | number> | string]
type Texts = Record<string, string | Part[]>

const files = import.meta.glob<Texts>('/src/texts/*/*.json', { eager: true, import: 'default' })

const areas = [...new Set(Object.keys(files).map((file) => file.replace(/^.*\/|\.json$/g, '')))]

/** The placeholders of a text: `{order}`, `{count, plural, …}`. */
function placeholders(text: string | Part[]): string[] {
  if (typeof text === 'string') return []
  const names = text.flatMap((part) => {
    if (typeof part === 'string') return []
    const [name, , forms] = part
    const within =
      typeof forms === 'object'
        ? Object.values(forms).flatMap((form) => (Array.isArray(form) ? placeholders(form) : []))
        : []
    return name === '#' ? within : [name, ...within]
  })
  return [...new Set(names)].sort()
}

describe.each(areas)('the texts of %s', (area) => {
  const english = files[`/src/texts/en/${area}.json`] ?? {}

  it.each(['si', 'ta'])('are all there in %s, with the same values put in', (language) => {
    const other = files[`/src/texts/${language}/${area}.json`] ?? {}
    const shape = (texts: Texts) =>
      Object.fromEntries(
        Object.entries(texts)
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([key, text]) => [key, placeholders(text)]),
      )
    expect(shape(other)).toEqual(shape(english))
  })

  it('says something in every text', () => {
    expect(Object.entries(english).filter(([, text]) => text.length === 0)).toEqual([])
  })
})

/** Texts that were hard to understand once, as they read now. */
const plain: [id: TextId, words: string, values?: Record<string, string | number>][] = [
  ['operator.streamsLead', 'Stream sizes and consumer progress.'],
  ['operator.takenIn', 'Ingest rate'],
  ['operator.outboxBacklog', 'Outbox backlog'],
  ['operator.waitToBePublished', 'events not yet published'],
  [
    'operator.deadLettersLead',
    'Events that consumers could not handle. Later events of the same aggregate are parked until you settle the dead letter. Dead letters of closed accounts are discarded automatically.',
  ],
  ['operator.deadLetterMore', 'Parked events and payload'],
  [
    'operator.editMessage',
    'A new event of type order.placed replaces this one and names it as its cause. Consumers that have handled this one skip the new one.',
    { type: 'order.placed' },
  ],
  ['operator.editPublish', 'Publish and retry'],
  ['operator.notSequences', 'Enter a sequence (12) or a range (12-40).'],
  ['operator.filterFirst', 'Fix the highlighted filter.'],
  ['operator.eventsEmptyHint', 'Try a longer time range or remove a filter.'],
  ['operator.theLast', 'The latest event'],
  ['operator.forGood', 'Run for real'],
  ['operator.rateNone', 'no limit'],
  [
    'operator.replaysLead',
    'Hand past events to one consumer again. Events that it has handled are skipped; other consumers are not affected.',
  ],
  ['operator.reasonHint', 'Recorded in the audit log with your name. Ctrl+Enter sends it.'],
  ['operator.timelinePicture', 'Causality'],
  ['operator.timelineEven', 'Even spacing'],
  ['operator.timelineTrue', 'To scale'],
  ['operator.timelineInto', '4 s after the first event', { since: '4 s' }],
  ['owner.newOrders', 'You have a new order.', { count: 1 }],
  ['owner.newOrders', 'You have 4 new orders.', { count: 4 }],
  ['operator.operationsEmpty', 'No operations yet.'],
  ['operator.operationsEmptyHint', 'Replays, rebuilds, settled dead letters, exports and reveals appear here, each with its reason.'],
  ['app.schemeAuto', 'System'],
  ['owner.waiting', 'No orders to confirm.', { count: 0 }],
]

it.each(plain)('%s is “%s”', (id, words, values) => {
  expect(text(id, values)).toBe(words)
})
