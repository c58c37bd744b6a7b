// Some calls want a proof of who is there that is younger than the sign-in. The page that makes such calls
// says here how it is asked for.

/** Answers whether the user has shown who they are. */
type ProofPrompt = () => Promise<boolean>

// The last one asks: a dialog within a page goes before the page's own.
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
