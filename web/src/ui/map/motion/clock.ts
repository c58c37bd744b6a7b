/** The samples kept. */
const SAMPLES = 16
/** A difference that is no delay of the network, in milliseconds. */
const STEP = 30_000
/** Samples in a row that show that the device's clock was set. */
const ENOUGH = 3

/**
 * The difference between the device's clock and ours. A fix takes some time to arrive, and never less than none: the
 * smallest of the last differences is the clocks' own.
 */
export class DeviceClock {
  #samples: number[] = []
  #strange: number[] = []
  #offset = 0

  /** Milliseconds from the device's clock to ours. */
  get offset(): number {
    return this.#offset
  }

  /** Takes the device's time of a fix, and ours of its arrival. */
  observe(at: number, arrived: number): void {
    const difference = arrived - at
    const strange = this.#samples.length > 0 && difference > this.#offset + STEP
    this.#strange = strange ? [...this.#strange, difference] : []
    if (this.#strange.length >= ENOUGH && Math.max(...this.#strange) - Math.min(...this.#strange) < STEP / 2) {
      this.#samples = this.#strange
      this.#strange = []
    } else if (!strange) this.#samples = [...this.#samples, difference].slice(-SAMPLES)
    this.#offset = Math.min(...this.#samples)
  }

  /** Our time of the device's. */
  ours(at: number): number {
    return at + this.#offset
  }
}
