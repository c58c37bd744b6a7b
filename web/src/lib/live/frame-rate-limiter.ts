/** The bridge takes 20 frames a second from a client; staying below leaves room for its clock. */
const MAX_FRAMES = 15
const WINDOW = 1000

/** Lets frames out in their order, at most 15 in any second. */
export class FrameRateLimiter {
  readonly #send: (frame: string) => void
  #waiting: string[] = []
  #sent: number[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (frame: string) => void) {
    this.#send = send
  }

  push(frame: string): void {
    this.#waiting.push(frame)
    this.#drain()
  }

  /** True while a frame pushed now would leave at once. */
  get canSend(): boolean {
    this.#dropExpired(Date.now())
    return this.#waiting.length === 0 && this.#sent.length < MAX_FRAMES
  }

  /** Drops waiting frames and starts from the beginning, for a new socket. */
  reset(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting = []
    this.#sent = []
  }

  #dropExpired(now: number): void {
    this.#sent = this.#sent.filter((at) => now - at < WINDOW)
  }

  #drain(): void {
    const now = Date.now()
    this.#dropExpired(now)
    while (this.#sent.length < MAX_FRAMES) {
      const frame = this.#waiting.shift()
      if (frame === undefined) return
      this.#sent.push(now)
      this.#send(frame)
    }
    const oldest = this.#sent[0] ?? now
    if (this.#waiting.length > 0 && this.#timer === undefined) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#drain()
      }, oldest + WINDOW - now)
    }
  }
}
