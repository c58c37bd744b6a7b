import type { ClientFrame, PositionFrame, ServerFrame, TopicFrame } from './frames'

/** Watched by administrators: positions of every delivery, as those who watch one of them get them. */
export const EVERY_DELIVERY = 'deliveries'

export type TopicHandler = (frame: TopicFrame) => void

interface WatchedTopic {
  handlers: Set<TopicHandler>
  /** Stream sequence of the newest event seen. */
  seq: number | undefined
  /** For those who join a topic that is watched already: the bridge sends its snapshot once. */
  position: PositionFrame | undefined
  /** True if `watching` was answered before. */
  confirmed: boolean
  /** The number of expected answers to probes. */
  pendingProbes: number
  refusals: number
}

/** The watchers of each topic, and the last stream sequence that was seen. */
export class Topics {
  readonly #topics = new Map<string, WatchedTopic>()

  get names(): string[] {
    return [...this.#topics.keys()]
  }

  /** True if the topic had no watcher before. A later one gets what the bridge says only once. */
  add(topic: string, handler: TopicHandler): boolean {
    const known = this.#topics.get(topic)
    if (known === undefined) {
      this.#topics.set(topic, {
        handlers: new Set([handler]),
        seq: undefined,
        position: undefined,
        confirmed: false,
        pendingProbes: 0,
        refusals: 0,
      })
      return true
    }
    known.handlers.add(handler)
    // Data that it fetched before may be stale, as for the first one.
    if (known.confirmed) handler({ type: 'watching', topic, again: false })
    if (known.position !== undefined) handler(known.position)
    return false
  }

  /** True if the topic has no watcher any more. */
  remove(topic: string, handler: TopicHandler): boolean {
    const known = this.#topics.get(topic)
    if (!known?.handlers.delete(handler) || known.handlers.size > 0) return false
    return this.#topics.delete(topic)
  }

  /** The frame that asks for a topic, from where it was last seen. */
  watchFrame(topic: string): ClientFrame {
    const after = this.#topics.get(topic)?.seq
    return after === undefined ? { type: 'watch', topic } : { type: 'watch', topic, after }
  }

  /** The frame that asks for a sign of life; no watcher gets its answer. */
  probeFrame(): ClientFrame {
    const [topic = 'me'] = this.names
    const known = this.#topics.get(topic)
    if (known !== undefined) known.pendingProbes += 1
    return this.watchFrame(topic)
  }

  /** On a new socket no answers of the old one are to come. */
  clearProbes(): void {
    for (const known of this.#topics.values()) known.pendingProbes = 0
  }

  /** The number of refusals of a topic in a row; undefined without a watcher. */
  refusals(topic: string): number | undefined {
    return this.#topics.get(topic)?.refusals
  }

  /** Hands a frame to those who watch its topic, each event once. */
  dispatch(frame: ServerFrame): void {
    switch (frame.type) {
      case 'watching': {
        const known = this.#topics.get(frame.topic)
        if (known === undefined) return
        if (known.pendingProbes > 0) {
          known.pendingProbes -= 1
          return
        }
        const again = known.confirmed
        known.confirmed = true
        known.refusals = 0
        deliver(known, { type: 'watching', topic: frame.topic, again })
        return
      }
      case 'refused': {
        const known = this.#topics.get(frame.topic)
        if (known === undefined) return
        known.refusals += 1
        known.pendingProbes = 0
        deliver(known, frame)
        return
      }
      case 'position': {
        const everyDelivery = this.#topics.get(EVERY_DELIVERY)
        if (everyDelivery !== undefined) deliver(everyDelivery, frame)
        const known = this.#topics.get(frame.topic)
        if (known === undefined) return
        known.position = frame
        deliver(known, frame)
        return
      }
      case 'event': {
        const known = this.#topics.get(frame.topic)
        if (known === undefined) return
        // A replay's events are of several streams, whose sequences are not comparable.
        if (typeof frame.seq === 'number' && frame.stream === undefined) {
          // Resuming may bring again what is known already.
          if (known.seq !== undefined && frame.seq <= known.seq) return
          known.seq = frame.seq
        }
        deliver(known, frame)
        return
      }
      case 'progress': {
        const known = this.#topics.get(frame.topic)
        if (known !== undefined) deliver(known, frame)
        return
      }
      case 'notification': {
        const known = this.#topics.get('me')
        if (known !== undefined) deliver(known, frame)
      }
    }
  }
}

function deliver(known: WatchedTopic, frame: TopicFrame): void {
  for (const handler of [...known.handlers]) {
    try {
      handler(frame)
    } catch (cause) {
      // One page's mistake must not keep the frame from the others.
      console.error(cause)
    }
  }
}
