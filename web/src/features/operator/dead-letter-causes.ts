import type { DeadLetterView } from '@/api/generated/types.gen'

/** Dead letters with the same cause. */
export interface CauseGroup {
  /** The consumer's words; where they differ in ids and places only, these are left out. */
  cause: string
  letters: DeadLetterView[]
  consumers: string[]
  oldest: string
  newest: string
  /** Later events that wait behind them. */
  waiting: number
  /** The number of those that hold up the deletion of an account. */
  deletions: number
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** The part of a reason that does not differ from event to event. */
function withoutIds(reason: string): string {
  return reason.replace(ID, '…').replace(/\d+/g, '…')
}

/** Groups, and the letters of each: what holds up a deletion first, then whatever has waited longest. */
export function groupByCause(letters: DeadLetterView[]): CauseGroup[] {
  const groups = new Map<string, DeadLetterView[]>()
  const urgency = ({ holdsUpDeletion }: DeadLetterView) => Number(holdsUpDeletion)
  const inOrder = [...letters].sort((a, b) => urgency(b) - urgency(a) || Date.parse(a.time) - Date.parse(b.time) || a.seq - b.seq)
  for (const letter of inOrder) {
    const kind = withoutIds(letter.reason)
    groups.set(kind, [...(groups.get(kind) ?? []), letter])
  }
  return [...groups].map(([kind, letters]) => {
    const first = letters[0]
    const times = letters.map(({ time }) => time).sort((a, b) => Date.parse(a) - Date.parse(b))
    const isSame = letters.every((letter) => letter.reason === first?.reason)
    return {
      cause: isSame ? (first?.reason ?? kind) : kind,
      letters,
      consumers: [...new Set(letters.map((letter) => letter.consumer))].sort(),
      oldest: times[0] ?? '',
      newest: times.at(-1) ?? '',
      waiting: letters.reduce((sum, letter) => sum + letter.waiting, 0),
      deletions: letters.filter(({ holdsUpDeletion }) => holdsUpDeletion).length,
    }
  })
}
