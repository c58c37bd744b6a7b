import type { DeadLetterCause, DeadLetterView } from '@/api/generated/types.gen'

/** The actions on dead letters: several at once are retried or discarded, one is corrected. */
export type DeadLetterAction =
  | { act: 'retry' | 'discard' | 'edit'; deadLetters: DeadLetterView[] }
  /** All of a cause, whether they are shown or not. */
  | { act: 'retry'; cause: DeadLetterCause }

/** The number of dead letters of an action. */
export function countOf(action: DeadLetterAction): number {
  return 'cause' in action ? action.cause.count : action.deadLetters.length
}
