import { ProofPrompt } from '@/features/account/two-step/ProofPrompt'
import { Console } from '@/features/operator/Console'

/** The console of the event history. What acts on it asks who is there: two features, put together here. */
export function OperatorConsole() {
  return (
    <>
      <ProofPrompt />
      <Console />
    </>
  )
}
