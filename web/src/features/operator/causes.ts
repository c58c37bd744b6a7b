import type { LetterView } from '@/api/generated/types.gen'

/** Dead letters that failed of the same. */
export interface Cause {
  /** The consumer's words; where they differ in ids and places only, these are left out. */
  cause: string
  letters: LetterView[]
  consumers: string[]
  oldest: string
  newest: string
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** What is left of a reason without what differs from event to event. */
function kindOf(reason: string): string {
  return reason.replace(ID, '…').replace(/\d+/g, '…')
}

/** Groups, whatever has waited longest first; the letters of each oldest first. */
export function byCause(letters: LetterView[]): Cause[] {
  const groups = new Map<string, LetterView[]>()
  const byAge = [...letters].sort((a, b) => Date.parse(a.time) - Date.parse(b.time) || a.seq - b.seq)
  for (const letter of byAge) {
    const kind = kindOf(letter.reason)
    groups.set(kind, [...(groups.get(kind) ?? []), letter])
  }
  return [...groups].map(([kind, letters]) => {
    const first = letters[0]
    const isSame = letters.every((letter) => letter.reason === first?.reason)
    return {
      cause: isSame ? (first?.reason ?? kind) : kind,
      letters,
      consumers: [...new Set(letters.map((letter) => letter.consumer))].sort(),
      oldest: first?.time ?? '',
      newest: letters.at(-1)?.time ?? '',
    }
  })
}
