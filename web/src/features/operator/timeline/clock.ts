import { useCallback, useEffect, useEffectEvent, useState } from 'react'

import { countUntil } from './history'

/** Times real time. */
export const SPEEDS = [1, 2, 5, 10, 100] as const
/** The longest wait for the next event while playing, in milliseconds, so that no replay sits through a night. */
const SILENCE = 5_000

/** The time of a clock, and the length of the current pause, in milliseconds of watching. */
export interface Hand {
  t: number
  quiet: number
}

/** The time of the clock after some milliseconds of playing. It stops at the last event. */
export function advance({ t, quiet }: Hand, elapsed: number, speed: number, events: { at: number }[]): Hand {
  const last = events.at(-1)?.at ?? t
  const next = events[countUntil(events, t, 'at')]?.at
  if (next === undefined) return { t: Math.max(t, last), quiet: 0 }
  const moved = t + elapsed * speed
  if (moved >= next) return { t: Math.min(moved, last), quiet: 0 }
  return quiet + elapsed >= SILENCE ? { t: next, quiet: 0 } : { t: moved, quiet: quiet + elapsed }
}

/** The most that the clock may be behind arriving events, in milliseconds of watching. */
const BEHIND = 1_000

/** The time of the clock while events arrive at `speed`: it moves evenly, close behind the last one. */
export function follow(t: number, elapsed: number, speed: number, last: number): number {
  return Math.max(t, Math.min(Math.max(t + elapsed * speed, last - BEHIND * speed), last))
}

/** The moment of the next or the previous event; the same moment without one. */
export function neighbour(events: { at: number }[], t: number, way: 1 | -1): number {
  if (way === 1) return events[countUntil(events, t, 'at')]?.at ?? t
  const earlier = events.slice(0, countUntil(events, t, 'at')).filter(({ at }) => at < t)
  return earlier.at(-1)?.at ?? t
}

export interface Clock {
  t: number
  isPlaying: boolean
  speed: number
  /** The number of times that it was started or moved. */
  touches: number
  /** Goes to a moment. */
  seek: (t: number) => void
  play: (isPlaying: boolean) => void
  setSpeed: (speed: number) => void
}

/** A clock over events, at `start` until there are any. Fed with events at a speed, it follows them. */
export function useClock(events: { at: number }[], fed: number | null, start: number): Clock {
  const [from, to] = [events[0]?.at ?? start, events.at(-1)?.at ?? start]
  const [hand, setHand] = useState<Hand>({ t: from, quiet: 0 })
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const [touches, setTouches] = useState(0)
  const [wasFed, setWasFed] = useState(false)
  if (wasFed !== (fed !== null)) {
    setWasFed(fed !== null)
    setTouches(touches + 1)
  }
  // What came last is gone through when nothing more comes, at the speed that it came at.
  const [followed, setFollowed] = useState<number | null>(null)
  const isRunning = isPlaying || fed !== null || followed !== null
  const t = Math.min(Math.max(hand.t, from), to)

  const tick = useEffectEvent((elapsed: number) => {
    const rate = fed ?? followed
    if (rate !== null) {
      const next = follow(t, elapsed, rate, to)
      setHand({ t: next, quiet: 0 })
      setFollowed(fed === null && next >= to ? null : rate)
      return
    }
    const next = advance({ ...hand, t }, elapsed, speed, events)
    setHand(next)
    if (next.t >= to) setPlaying(false)
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

  const seek = useCallback((t: number) => {
    setHand({ t, quiet: 0 })
    setFollowed(null)
    setTouches((touches) => touches + 1)
  }, [])
  const play = (isOn: boolean) => {
    // From its end it starts over.
    if (isOn && t >= to) seek(from)
    setPlaying(isOn)
    setTouches((touches) => touches + 1)
  }
  return { t, isPlaying: isPlaying && fed === null, speed, touches, seek, play, setSpeed }
}
