// Some calls want a proof of who is there that is younger than the sign-in. The page that makes such calls
// says here how it is asked for.

/** Answers whether the user has shown who they are. */
type Ask = () => Promise<boolean>

// The last one asks: a dialog within a page goes before the page's own.
const asks: Ask[] = []
let underWay: Promise<boolean> | null = null

/** Has `next` ask from now on; answers how to take that back. */
export function askBy(next: Ask): () => void {
  asks.push(next)
  return () => {
    asks.splice(asks.indexOf(next), 1)
  }
}

/** Asks who is there, once however many calls want to know; false without an answer. */
export async function prove(): Promise<boolean> {
  underWay ??= (asks.at(-1)?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null
  })
  return underWay
}
