import { ProofPrompt } from '@/features/account/two-step/ProofPrompt'
import { Console } from '@/features/operator/Console'

/** The console of the event history with the prompt for a proof: two features, put together here. */
export function OperatorConsole() {
  return (
    <>
      <ProofPrompt />
      <Console />
    </>
  )
}
