import type { DeadLetterView } from '@/api/generated/types.gen'

/** The actions on dead letters: several at once are retried or discarded, one is corrected. */
export interface DeadLetterAction {
  act: 'retry' | 'discard' | 'edit'
  deadLetters: DeadLetterView[]
}
