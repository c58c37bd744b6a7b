interface PrefetchedCalls {
  config: Promise<Response>
  /** The account of the calls' token; null without one. */
  token: string | null
  /** The answers by URL and sent body, once the configuration has named the services' hosts. */
  answers: Promise<Record<string, Promise<Response> | undefined>>
}

declare global {
  /** The calls that `start.js` made before the app was loaded. */
  var askedAhead: PrefetchedCalls | undefined
}

/** An answer counts as fresh this long after the page was opened, in milliseconds. */
const MAX_AGE = 10_000

/** The answer to the first request for `/config.json`. */
export function prefetchedConfig(): Promise<Response> | undefined {
  return globalThis.askedAhead?.config
}

/** The answer to a prefetched call with this token, by its URL and sent body; each is given once. */
export async function prefetchedResponse(call: string, token: string | null): Promise<Response | undefined> {
  const ahead = globalThis.askedAhead
  if (ahead === undefined || ahead.token !== token || performance.now() > MAX_AGE) return undefined
  const answers = await ahead.answers
  const answer = answers[call]
  answers[call] = undefined
  return answer
}
