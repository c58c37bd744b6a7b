import type { DeadLetterView } from '@/api/generated/types.gen'

/** Dead letters with the same cause. */
export interface CauseGroup {
  /** The consumer's reason; ids and numbers in which the reasons of a group differ are left out. */
  cause: string
  deadLetters: DeadLetterView[]
  consumers: string[]
  oldest: string
  newest: string
  /** The number of parked events behind them. */
  waiting: number
  /** The number of those that delay an erasure. */
  deletions: number
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** The part of a reason that does not differ from event to event. */
function withoutIds(reason: string): string {
  return reason.replace(ID, '…').replace(/\d+/g, '…')
}

/** The dead letters by cause: those that delay an erasure come first, then the oldest. */
export function groupByCause(deadLetters: DeadLetterView[]): CauseGroup[] {
  const groups = new Map<string, DeadLetterView[]>()
  const urgency = ({ holdsUpDeletion }: DeadLetterView) => Number(holdsUpDeletion)
  const inOrder = [...deadLetters].sort((a, b) => urgency(b) - urgency(a) || Date.parse(a.time) - Date.parse(b.time) || a.seq - b.seq)
  for (const deadLetter of inOrder) {
    const kind = withoutIds(deadLetter.reason)
    const group = groups.get(kind)
    if (group === undefined) groups.set(kind, [deadLetter])
    else group.push(deadLetter)
  }
  return [...groups].map(([kind, deadLetters]) => {
    const first = deadLetters[0]
    const times = deadLetters.map(({ time }) => time).sort((a, b) => Date.parse(a) - Date.parse(b))
    const isSame = deadLetters.every((deadLetter) => deadLetter.reason === first?.reason)
    return {
      cause: isSame ? (first?.reason ?? kind) : kind,
      deadLetters,
      consumers: [...new Set(deadLetters.map((deadLetter) => deadLetter.consumer))].sort(),
      oldest: times[0] ?? '',
      newest: times.at(-1) ?? '',
      waiting: deadLetters.reduce((sum, deadLetter) => sum + deadLetter.waiting, 0),
      deletions: deadLetters.filter(({ holdsUpDeletion }) => holdsUpDeletion).length,
    }
  })
}
