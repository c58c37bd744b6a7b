import { distance, isKnown } from '@/ui/map/geo'

import type { Position } from '@/ui/map/position-source'

/** A position as the motion takes it. */
export type Fix = Position

/** The verdict on a fix. After `moved` it begins again from there: the driver is elsewhere, or their clock is. */
export type Verdict = 'good' | 'moved' | 'unknown' | 'duplicate' | 'late' | 'inaccurate' | 'jump'

/** Fixes less exact than this are left out, in metres. */
const ROUGH = 100
/** Rough ones are taken after so long without others, in milliseconds. */
const PATIENCE = 30_000
/** Faster than any vehicle in a town, in metres a second. */
const FASTEST = 45
/** The error of a fix that does not say how exact it is, in metres. */
const USUAL_ERROR = 25
/** A fix that is older by so much may come from a clock that was set back, in milliseconds. */
const CLOCK_STEP = 60_000

interface Taken {
  fix: Fix
  at: number
  arrived: number
}

/** Leaves out fixes that can't be right. One that is far off is believed once the next agrees with it. */
export class FixFilter {
  #last: Taken | null = null
  #doubted: Taken | null = null

  judge(fix: Fix, arrived: number): Verdict {
    const at = Date.parse(fix.at)
    if (!isKnown(fix) || Math.abs(fix.lat) > 90 || Math.abs(fix.lng) > 180 || Number.isNaN(at)) return 'unknown'
    const next = { fix, at, arrived }
    const verdict = this.#verdict(next)
    if (verdict === 'good' || verdict === 'moved') {
      this.#last = next
      this.#doubted = null
    } else if (verdict === 'late' || verdict === 'jump') this.#doubted = next
    return verdict
  }

  #verdict(next: Taken): Verdict {
    const last = this.#last
    if (last === null) return 'good'
    if (next.at === last.at) return 'duplicate'
    if (next.at < last.at) return next.at < last.at - CLOCK_STEP && this.#confirms(next) ? 'moved' : 'late'
    if (errorOf(next.fix) > Math.max(ROUGH, errorOf(last.fix)) && next.arrived - last.arrived < PATIENCE) return 'inaccurate'
    if (canFollow(last, next)) return 'good'
    return this.#confirms(next) ? 'moved' : 'jump'
  }

  /** True if it follows the doubted one, in time, too: what a device saved up while it was offline comes all at once. */
  #confirms(next: Taken): boolean {
    const doubted = this.#doubted
    if (doubted === null || next.at <= doubted.at || !canFollow(doubted, next)) return false
    const [measured, received] = [next.at - doubted.at, next.arrived - doubted.arrived]
    return Math.abs(received - measured) < 1000 + measured / 2
  }
}

function errorOf({ accuracy }: Fix): number {
  return typeof accuracy === 'number' && accuracy >= 0 ? accuracy : USUAL_ERROR
}

function canFollow(before: Taken, after: Taken): boolean {
  const metres = distance(before.fix, after.fix) - errorOf(before.fix) - errorOf(after.fix)
  return metres <= 50 || metres <= (FASTEST * (after.at - before.at)) / 1000
}
