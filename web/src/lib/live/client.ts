import { backoff, restartDelay } from './backoff'
import { type ClientFrame, type DevicePosition, readFrame } from './frames'
import { FrameRateLimiter } from './frame-rate-limiter'
import { type TopicHandler, Topics } from './topics'

/** `connecting` until the first connection opens or fails, `lost` from then on while none is open. */
export type LiveState = 'connecting' | 'live' | 'lost'

interface LiveOptions {
  /** Address of the bridge, `ws:` or `wss:`. */
  url: () => string
  /** A token to sign in with, a new one if `renew`; null without a session. */
  token: (renew: boolean) => Promise<string | null>
}

/** The silence after which the client pings the bridge; a page does not see the bridge's own pings. */
const PROBE_INTERVAL = 25_000
/** The interval of pings while positions are sent, so that a dead line is noticed soon. */
const PROBE_INTERVAL_WHILE_SENDING = 4_000
/** The connection is closed after this long without a frame. */
const SILENCE_TIMEOUT = 45_000
/** Connecting and signing in may take this long together. */
const CONNECT_TIMEOUT = 10_000
/** A token this close to its end is renewed. */
const TOKEN_RENEWAL_MARGIN = 30_000
/** The largest random advance of that renewal, in milliseconds. */
const RENEWAL_JITTER = 60_000
/** The number of repeated watches: the right to a topic may arrive a moment after the first. */
const WATCH_RETRIES = 5
/** The length of a planned change of sockets up to which the page shows nothing. */
const RECONNECT_GRACE = 3_000

/** One websocket to the live bridge: signs in, watches topics, comes back after a loss and misses nothing. */
export class LiveClient {
  readonly #options: LiveOptions
  readonly #topics = new Topics()
  readonly #limiter = new FrameRateLimiter((text) => this.#socket?.send(text))
  readonly #listeners = new Set<() => void>()
  #state: LiveState = 'connecting'
  /** True while the bridge has sent no frame since the last position left. */
  #isAwaitingAnswer = false
  #socket: WebSocket | undefined
  #started = false
  #ready = false
  #attempt = 0
  #failures = 0
  #renew = false
  #receivedAt = 0
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
    this.#closeSocket()
    for (const name of Object.keys(this.#timers)) this.#clear(name)
    this.#failures = 0
    this.#setState('connecting')
  }

  /** Watches a topic until the returned function is called. */
  watch(topic: string, handler: TopicHandler): () => void {
    if (this.#topics.add(topic, handler) && this.#ready) this.#send(this.#topics.watchFrame(topic))
    return () => {
      if (this.#topics.remove(topic, handler) && this.#ready) this.#send({ type: 'unwatch', topic })
    }
  }

  /** Sends this device's position; false if no connection takes it now. A position that arrives comes back on its topic. */
  sendPosition(position: DevicePosition): boolean {
    if (!this.#ready || !this.#limiter.canSend) return false
    this.#send({ type: 'position', ...position })
    this.#isAwaitingAnswer = true
    return true
  }

  async #connect(): Promise<void> {
    this.#clear('retry')
    this.#closeSocket()
    const attempt = ++this.#attempt
    this.#after('connect', CONNECT_TIMEOUT, () => this.#onLost())
    const renew = this.#renew
    const token = await this.#options.token(renew).catch(() => undefined)
    if (attempt !== this.#attempt || !this.#started) return
    if (token === undefined) return this.#onLost()
    // Signed out: the next user starts from the beginning.
    if (token === null) return this.#clear('connect')
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
      // The bridge refused the sign-in: perhaps the token, so the next attempt brings another. 1013: no room.
      if (opened && !this.#ready && code !== 1013) this.#renew = true
      // 1001: the bridge shuts down and closes all sockets.
      this.#onLost(code === 1001 ? restartDelay() : undefined)
    }
  }

  #receive(data: unknown): void {
    this.#receivedAt = Date.now()
    this.#isAwaitingAnswer = false
    const frame = readFrame(data)
    if (frame === null) return
    if (frame.type === 'ready') return this.#onReady(frame.expiresAt)
    if (frame.type === 'error') console.warn(`The live bridge refused a frame (${frame.code ?? 'no code'}): ${frame.message}`)
    this.#topics.dispatch(frame)
    if (frame.type === 'refused') this.#retryWatch(frame.topic)
  }

  #onReady(expiresAt: string): void {
    this.#ready = true
    this.#failures = 0
    this.#clear('connect')
    this.#clear('grace')
    this.#setState('live')
    for (const topic of this.#topics.names) this.#send(this.#topics.watchFrame(topic))
    this.#monitorSilence()
    const left = Date.parse(expiresAt) - Date.now() - TOKEN_RENEWAL_MARGIN
    // Sockets that opened together, as after a restart, do not renew together.
    const early = Math.random() * RENEWAL_JITTER
    if (Number.isFinite(left)) this.#after('renewal', Math.max(left - early, TOKEN_RENEWAL_MARGIN), () => this.#changeSocket())
  }

  /** Takes a new socket with a new token; the watches resume where they were. */
  #changeSocket(): void {
    this.#renew = true
    this.#after('grace', RECONNECT_GRACE, () => {
      if (!this.#ready) this.#setState('lost')
    })
    void this.#connect()
  }

  #onLost(wait?: number): void {
    this.#closeSocket()
    this.#clear('connect')
    this.#failures += 1
    this.#setState('lost')
    this.#after('retry', wait ?? backoff(this.#failures), () => void this.#connect())
  }

  /** Closes the socket without waiting for the answer, which takes minutes on a dead line. */
  #closeSocket(): void {
    const socket = this.#socket
    this.#socket = undefined
    this.#ready = false
    this.#isAwaitingAnswer = false
    this.#attempt += 1
    this.#limiter.reset()
    this.#topics.clearProbes()
    for (const name of ['silence', 'renewal', 'connect']) this.#clear(name)
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }

  /** Checks an open connection for silence. */
  #monitorSilence(): void {
    this.#after('silence', 2_000, () => {
      const now = Date.now()
      if (now - this.#receivedAt >= SILENCE_TIMEOUT) return this.#onLost()
      const quiet = now - Math.max(this.#receivedAt, this.#probedAt)
      if (quiet >= (this.#isAwaitingAnswer ? PROBE_INTERVAL_WHILE_SENDING : PROBE_INTERVAL)) this.#probe()
      this.#monitorSilence()
    })
  }

  /** Watches a watched topic again: the answer is a sign of life. */
  #probe(): void {
    this.#probedAt = Date.now()
    this.#send(this.#topics.probeFrame())
  }

  #retryWatch(topic: string): void {
    const refusals = this.#topics.refusals(topic) ?? 0
    if (refusals === 0 || refusals > WATCH_RETRIES) return
    this.#after(`again ${topic}`, 1000 * 2 ** (refusals - 1), () => {
      if (this.#ready && this.#topics.refusals(topic) === refusals) this.#send(this.#topics.watchFrame(topic))
    })
  }

  #send(frame: ClientFrame): void {
    this.#limiter.push(JSON.stringify(frame))
  }

  readonly #onOnline = (): void => {
    if (!this.#ready) void this.#connect()
  }

  readonly #onOffline = (): void => {
    this.#onLost()
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState !== 'visible') return
    if (!this.#ready) {
      void this.#connect()
      return
    }
    // A device that slept may hold a dead line: it gets five seconds to answer.
    const before = this.#receivedAt
    if (Date.now() - before < PROBE_INTERVAL) return
    this.#probe()
    this.#after('awake', 5_000, () => {
      if (this.#ready && this.#receivedAt === before) this.#onLost()
    })
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return
    this.#state = state
    this.#notify()
  }

  #notify(): void {
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
