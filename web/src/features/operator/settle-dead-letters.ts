import type { DeadLetterView } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'

export interface Outcome {
  settled: number
  refused: { deadLetter: DeadLetterView; reason: string }[]
}

/**
 * Settles dead letters one by one, the earliest event first, since later ones of an aggregate wait for
 * it. A refused one does not stop the others. If all are refused, the first refusal is thrown.
 */
export async function settleDeadLetters(
  deadLetters: DeadLetterView[],
  act: (deadLetter: DeadLetterView) => Promise<unknown>,
  fallback: string,
  onProgress: (settled: number) => void = () => undefined,
): Promise<Outcome> {
  const inOrder = [...deadLetters].sort((a, b) => a.stream.localeCompare(b.stream) || a.streamSeq - b.streamSeq || a.seq - b.seq)
  const outcome: Outcome = { settled: 0, refused: [] }
  let first: unknown
  for (const deadLetter of inOrder) {
    try {
      await act(deadLetter)
      outcome.settled += 1
    } catch (cause) {
      first ??= cause
      outcome.refused.push({ deadLetter, reason: messageOf(cause, fallback) })
    }
    onProgress(outcome.settled + outcome.refused.length)
  }
  if (outcome.settled === 0 && first !== undefined) throw first
  return outcome
}

/** The aggregate of an event that was not handled: the third word of its subject. */
export function aggregateOf({ subject }: DeadLetterView): string {
  return subject.split('.')[2] ?? ''
}
