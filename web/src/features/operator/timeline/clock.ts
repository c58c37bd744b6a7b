import { useEffect, useEffectEvent, useState } from 'react'

import { countUntil } from './history'

/** Times real time. */
export const SPEEDS = [1, 2, 5, 10, 100] as const
/** The longest wait for the next event while playing, in milliseconds: nobody watches a night pass. */
const SILENCE = 5_000

/** Where a clock stands, and for how long nothing has happened, in milliseconds of watching. */
export interface Hand {
  t: number
  quiet: number
}

/** Where the hand is after some milliseconds of playing. It stops at the last event. */
export function advance({ t, quiet }: Hand, elapsed: number, speed: number, events: { at: number }[]): Hand {
  const last = events.at(-1)?.at ?? t
  const next = events[countUntil(events, t, 'at')]?.at
  if (next === undefined) return { t: Math.max(t, last), quiet: 0 }
  const moved = t + elapsed * speed
  if (moved >= next) return { t: Math.min(moved, last), quiet: 0 }
  return quiet + elapsed >= SILENCE ? { t: next, quiet: 0 } : { t: moved, quiet: quiet + elapsed }
}

/** The moment of the next or the previous event; the same where there is none. */
export function neighbour(events: { at: number }[], t: number, way: 1 | -1): number {
  if (way === 1) return events[countUntil(events, t, 'at')]?.at ?? t
  const earlier = events.slice(0, countUntil(events, t, 'at')).filter(({ at }) => at < t)
  return earlier.at(-1)?.at ?? t
}

export interface Clock {
  t: number
  isPlaying: boolean
  speed: number
  /** Goes to a moment. */
  seek: (t: number) => void
  play: (isPlaying: boolean) => void
  setSpeed: (speed: number) => void
}

/** A clock over events, standing at the first. While `isFed` it waits at the last for more. */
export function useClock(events: { at: number }[], isFed: boolean): Clock {
  const [from, to] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0]
  const [hand, setHand] = useState<Hand>({ t: from, quiet: 0 })
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const isRunning = isPlaying || isFed
  const t = Math.min(Math.max(hand.t, from), to)

  const tick = useEffectEvent((elapsed: number) => {
    const next = advance({ ...hand, t }, elapsed, speed, events)
    setHand(next)
    if (next.t >= to && !isFed) setPlaying(false)
  })

  useEffect(() => {
    if (!isRunning) return
    let last = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      tick(Math.max(0, now - last))
      last = now
      frame = requestAnimationFrame(step)
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [isRunning])

  const seek = (to: number) => {
    setHand({ t: to, quiet: 0 })
  }
  const play = (start: boolean) => {
    // From its end it starts over.
    if (start && t >= to) seek(from)
    setPlaying(start)
  }
  return { t, isPlaying, speed, seek, play, setSpeed }
}
