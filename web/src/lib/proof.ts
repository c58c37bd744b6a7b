// Some calls need a proof that is more recent than the sign-in. The page that makes such calls
// registers a prompt for it here.

/** Answers whether the user has shown who they are. */
type ProofPrompt = () => Promise<boolean>

// The last prompt is used: a dialog's takes precedence over its page's.
const prompts: ProofPrompt[] = []
let pendingProof: Promise<boolean> | null = null

/** Registers a prompt; the returned function removes it. */
export function registerProofPrompt(next: ProofPrompt): () => void {
  prompts.push(next)
  return () => {
    prompts.splice(prompts.indexOf(next), 1)
  }
}

/** Asks the user for a proof, once for all waiting calls; false without an answer. */
export async function requestProof(): Promise<boolean> {
  pendingProof ??= (prompts.at(-1)?.() ?? Promise.resolve(false)).finally(() => {
    pendingProof = null
  })
  return pendingProof
}
