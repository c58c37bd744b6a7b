import { backoff, farewell } from './backoff'
import { FixBuffer } from './fix-buffer'
import { type ClientFrame, type DeviceFix, readFrame } from './frames'
import { Pacer } from './pacer'
import { type TopicHandler, Topics } from './topics'

/** `connecting` until the first connection opens or fails, `lost` from then on while none is open. */
export type LiveState = 'connecting' | 'live' | 'lost'

/** The state of this device's fixes. */
export interface Upstream {
  /** The number that was handed to an open connection. */
  sent: number
  /** The newest of those. */
  last: DeviceFix | null
  /** The number that waits for a connection. */
  waiting: number
}

export interface LiveOptions {
  /** Address of the bridge, `ws:` or `wss:`. */
  url: () => string
  /** A token to sign in with, a new one if `renew`; null without a session. */
  token: (renew: boolean) => Promise<string | null>
}

/** The bridge is asked for a sign of life after this silence; its own pings are not seen by a page. */
const QUIET = 25_000
/** The same while positions are sent, so that few are in doubt when the connection breaks. */
const QUIET_SENDING = 4_000
/** No word for this long, and the connection is given up. */
const SILENCE = 45_000
/** Connecting and signing in may take this long together. */
const PATIENCE = 10_000
/** A token this close to its end is renewed. */
const RENEWAL = 30_000
/** Up to how much earlier, by chance, in milliseconds. */
const SPREAD = 60_000
/** A watch may be refused because the right to it is a moment late; it is asked for so often again. */
const RETRIES = 5
/** A planned change of sockets shorter than this is not worth telling anybody. */
const GRACE = 3_000

/** One websocket to the live bridge: signs in, watches topics, comes back after a loss and misses nothing. */
export class LiveClient {
  readonly #options: LiveOptions
  readonly #topics = new Topics()
  #fixes = new FixBuffer()
  readonly #pacer = new Pacer((text) => this.#socket?.send(text))
  readonly #listeners = new Set<() => void>()
  #state: LiveState = 'connecting'
  #upstream: Upstream = { sent: 0, last: null, waiting: 0 }
  #socket: WebSocket | undefined
  #started = false
  #ready = false
  #opening = 0
  #failures = 0
  #renew = false
  #heardAt = 0
  #probedAt = 0
  #timers: Record<string, ReturnType<typeof setTimeout> | undefined> = {}

  constructor(options: LiveOptions) {
    this.#options = options
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): LiveState => this.#state

  readonly upstream = (): Upstream => this.#upstream

  start(): void {
    if (this.#started) return
    this.#started = true
    window.addEventListener('online', this.#onOnline)
    window.addEventListener('offline', this.#onOffline)
    document.addEventListener('visibilitychange', this.#onVisible)
    void this.#connect()
  }

  stop(): void {
    if (!this.#started) return
    this.#started = false
    window.removeEventListener('online', this.#onOnline)
    window.removeEventListener('offline', this.#onOffline)
    document.removeEventListener('visibilitychange', this.#onVisible)
    this.#drop()
    for (const name of Object.keys(this.#timers)) this.#clear(name)
    this.#failures = 0
    this.#fixes = new FixBuffer()
    this.#upstream = { sent: 0, last: null, waiting: 0 }
    this.#setState('connecting')
  }

  /** Watches a topic until the returned function is called. */
  watch(topic: string, handler: TopicHandler): () => void {
    if (this.#topics.add(topic, handler) && this.#ready) this.#send(this.#topics.watchFrame(topic))
    return () => {
      if (this.#topics.remove(topic, handler) && this.#ready) this.#send({ type: 'unwatch', topic })
    }
  }

  /** Sends where this device is; without a connection it waits for the next, the newest first. */
  sendFix(fix: DeviceFix): void {
    this.#fixes.push(fix)
    this.#flush()
  }

  async #connect(): Promise<void> {
    this.#clear('retry')
    this.#drop()
    const opening = ++this.#opening
    this.#after('patience', PATIENCE, () => this.#lost())
    const renew = this.#renew
    const token = await this.#options.token(renew).catch(() => undefined)
    if (opening !== this.#opening || !this.#started) return
    if (token === undefined) return this.#lost()
    // Signed out: the next user starts from the beginning.
    if (token === null) return this.#clear('patience')
    this.#renew = false
    this.#open(token)
  }

  #open(token: string): void {
    const socket = new WebSocket(this.#options.url())
    this.#socket = socket
    let opened = false
    socket.onopen = () => {
      opened = true
      socket.send(JSON.stringify({ type: 'auth', token } satisfies ClientFrame))
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data)
    socket.onclose = ({ code }) => {
      // Reached but not let in: perhaps the token, so the next attempt brings another. 1013: no room.
      if (opened && !this.#ready && code !== 1013) this.#renew = true
      // 1001: the bridge goes away, with everybody on it.
      this.#lost(code === 1001 ? farewell() : undefined)
    }
  }

  #receive(data: unknown): void {
    this.#heardAt = Date.now()
    this.#fixes.heard()
    const frame = readFrame(data)
    if (frame === null) return
    if (frame.type === 'ready') return this.#onReady(frame.expiresAt)
    if (frame.type === 'error') console.warn(`The live bridge did not understand: ${frame.message}`)
    this.#topics.dispatch(frame)
    if (frame.type === 'refused') this.#askAgain(frame.topic)
  }

  #onReady(expiresAt: string): void {
    this.#ready = true
    this.#failures = 0
    this.#clear('patience')
    this.#clear('grace')
    this.#setState('live')
    for (const topic of this.#topics.names) this.#send(this.#topics.watchFrame(topic))
    this.#flush()
    this.#listen()
    const left = Date.parse(expiresAt) - Date.now() - RENEWAL
    // Who came together, as after a restart, does not renew together.
    const early = Math.random() * SPREAD
    if (Number.isFinite(left)) this.#after('renewal', Math.max(left - early, RENEWAL), () => this.#changeSocket())
  }

  /** Takes a new socket with a new token; the watches resume where they were. */
  #changeSocket(): void {
    this.#renew = true
    this.#after('grace', GRACE, () => {
      if (!this.#ready) this.#setState('lost')
    })
    void this.#connect()
  }

  #lost(wait?: number): void {
    this.#drop()
    this.#clear('patience')
    this.#upstream = { ...this.#upstream, sent: this.#upstream.sent - this.#fixes.lost() }
    this.#failures += 1
    this.#setState('lost')
    this.#tellUpstream()
    this.#after('retry', wait ?? backoff(this.#failures), () => void this.#connect())
  }

  /** Lets go of the socket without waiting for its farewell, which on a dead line takes minutes. */
  #drop(): void {
    const socket = this.#socket
    this.#socket = undefined
    this.#ready = false
    this.#opening += 1
    this.#pacer.reset()
    this.#topics.forgetProbes()
    for (const name of ['quiet', 'renewal', 'flush', 'patience']) this.#clear(name)
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }

  /** Watches over the silence of a standing connection. */
  #listen(): void {
    this.#after('quiet', 2_000, () => {
      const now = Date.now()
      if (now - this.#heardAt >= SILENCE) return this.#lost()
      const quiet = now - Math.max(this.#heardAt, this.#probedAt)
      if (quiet >= (this.#fixes.unsure ? QUIET_SENDING : QUIET)) this.#probe()
      this.#listen()
    })
  }

  /** Asks for what is watched already: the answer is a sign of life. */
  #probe(): void {
    this.#probedAt = Date.now()
    this.#send(this.#topics.probeFrame())
  }

  #askAgain(topic: string): void {
    const refusals = this.#topics.refusals(topic) ?? 0
    if (refusals === 0 || refusals > RETRIES) return
    this.#after(`again ${topic}`, 1000 * 2 ** (refusals - 1), () => {
      if (this.#ready && this.#topics.refusals(topic) === refusals) this.#send(this.#topics.watchFrame(topic))
    })
  }

  #flush(): void {
    while (this.#ready && this.#fixes.size > 0 && this.#pacer.open) {
      const fixes = this.#fixes.take()
      const [newest, ...older] = fixes
      if (newest === undefined) break
      this.#send(older.length === 0 ? { type: 'position', ...newest } : { type: 'positions', positions: fixes })
      const { sent, last } = this.#upstream
      this.#upstream = { sent: sent + fixes.length, last: newestOf(last, newest), waiting: this.#fixes.size }
    }
    if (this.#ready && this.#fixes.size > 0) this.#after('flush', 250, () => this.#flush())
    this.#tellUpstream()
  }

  #tellUpstream(): void {
    this.#upstream = { ...this.#upstream, waiting: this.#fixes.size }
    this.#tell()
  }

  #send(frame: ClientFrame): void {
    this.#pacer.push(JSON.stringify(frame))
  }

  readonly #onOnline = (): void => {
    if (!this.#ready) void this.#connect()
  }

  readonly #onOffline = (): void => {
    this.#lost()
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState !== 'visible') return
    if (!this.#ready) {
      void this.#connect()
      return
    }
    // A device that slept may hold a dead line: it gets five seconds to answer.
    const before = this.#heardAt
    if (Date.now() - before < QUIET) return
    this.#probe()
    this.#after('awake', 5_000, () => {
      if (this.#ready && this.#heardAt === before) this.#lost()
    })
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return
    this.#state = state
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  #after(name: string, milliseconds: number, act: () => void): void {
    this.#clear(name)
    this.#timers[name] = setTimeout(() => {
      this.#clear(name)
      act()
    }, milliseconds)
  }

  #clear(name: string): void {
    clearTimeout(this.#timers[name])
    this.#timers[name] = undefined
  }
}

function newestOf(known: DeviceFix | null, sent: DeviceFix): DeviceFix {
  return known !== null && Date.parse(known.at) > Date.parse(sent.at) ? known : sent
}
