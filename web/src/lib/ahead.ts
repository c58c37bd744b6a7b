interface AskedAhead {
  config: Promise<Response>
  /** With whose token the calls were made; null for nobody's. */
  token: string | null
  /** By URL, and what was sent there, once the configuration has told the services' hosts. */
  answers: Promise<Record<string, Promise<Response> | undefined>>
}

declare global {
  /** What `start.js` asked for before the app was there. */
  var askedAhead: AskedAhead | undefined
}

/** An answer counts as fresh this long after the page was opened, in milliseconds. */
const FRESH = 10_000

/** The answer to the first request for `/config.json`. */
export function configAhead(): Promise<Response> | undefined {
  return globalThis.askedAhead?.config
}

/** The answer to a call that was made ahead with this token, called by its URL and what it sent; each is given once. */
export async function answerAhead(call: string, token: string | null): Promise<Response | undefined> {
  const ahead = globalThis.askedAhead
  if (ahead === undefined || ahead.token !== token || performance.now() > FRESH) return undefined
  const answers = await ahead.answers
  const answer = answers[call]
  answers[call] = undefined
  return answer
}
