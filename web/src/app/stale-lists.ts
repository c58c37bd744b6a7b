import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** The wait for more hints after the first one, in milliseconds: what a person does causes several. */
const GATHER = 100
/** The least time between two fetches of a list because of hints, in milliseconds. */
const INTERVAL = 250
/** The waits before lists of a following service are fetched again, in milliseconds. */
const FOLLOWING = [2_000, 10_000]
/** The part of the time in which a list may be fetched. */
const SHARE = 1 / 4
/** The longest wait for a fetch before the next one, in milliseconds. */
const LONGEST_WAIT = 5_000

/** Something that gives the key of a list's queries. */
type List = () => { queryKey: QueryKey }

/**
 * Fetches lists again that hints make stale: soon after the first hint, then once for all hints that come meanwhile.
 * On a busy evening there are more hints than time to fetch a list for each.
 */
export class StaleLists {
  readonly #queries: QueryClient
  /** The lists that are being fetched; true after one more hint. */
  readonly #hinted = new Map<string, boolean>()

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  add(lists: List[]) {
    for (const list of lists) void this.#fetch(list().queryKey)
  }

  /**
   * Fetches lists now and twice more: those of a service that follows the events of another one. It may take an event a
   * moment after its hint, and gives no hint then.
   */
  addFollowing(lists: List[]) {
    this.add(lists)
    for (const wait of FOLLOWING) {
      setTimeout(() => {
        this.add(lists)
      }, wait)
    }
  }

  /** Waits while a change with the list's key is sent: it is on the screen already, and a fetch may not have it yet. */
  async #untilUnchanged(mutationKey: QueryKey) {
    for (let waited = 0; waited < LONGEST_WAIT && this.#queries.isMutating({ mutationKey }) > 0; waited += GATHER) await pause(GATHER)
  }

  async #fetch(queryKey: QueryKey) {
    const name = hashKey(queryKey)
    const isFetching = this.#hinted.has(name)
    this.#hinted.set(name, true)
    if (isFetching) return
    await pause(GATHER)
    while (this.#hinted.get(name) === true) {
      await this.#untilUnchanged(queryKey)
      this.#hinted.set(name, false)
      const start = performance.now()
      await Promise.race([pause(LONGEST_WAIT), this.#queries.invalidateQueries({ queryKey })])
      const taken = performance.now() - start
      // A machine that is slow to fetch and draw a list needs the rest of the time for its user.
      await pause(Math.min(LONGEST_WAIT, Math.max(INTERVAL, taken / SHARE)) - taken)
    }
    this.#hinted.delete(name)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
