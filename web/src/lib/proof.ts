// Some calls want a proof of who is there that is younger than the sign-in. The page that makes such calls
// says here how it is asked for.

/** Answers whether the user has shown who they are. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null
let underWay: Promise<boolean> | null = null

/** Has `next` ask from now on; answers how to take that back. */
export function askBy(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = null
  }
}

/** Asks who is there, once however many calls want to know; false without an answer. */
export async function prove(): Promise<boolean> {
  underWay ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null
  })
  return underWay
}
