import { useCallback, useEffect, useEffectEvent, useState } from 'react'

import { countUpTo } from './history'

/** Times real time. */
export const SPEEDS = [1, 2, 5, 10, 100] as const
/** The longest wait for the next event while playing, in milliseconds. Longer gaps are skipped. */
const MAX_WAIT = 5_000

/** The time of a clock, and the length of the current pause, in milliseconds of watching. */
interface ClockState {
  t: number
  quiet: number
}

/** The time of the clock after some milliseconds of playing. It stops at the last event. */
export function advance({ t, quiet }: ClockState, elapsed: number, speed: number, events: { at: number }[]): ClockState {
  const last = events.at(-1)?.at ?? t
  const next = events[countUpTo(events, t, 'at')]?.at
  if (next === undefined) return { t: Math.max(t, last), quiet: 0 }
  const moved = t + elapsed * speed
  if (moved >= next) return { t: Math.min(moved, last), quiet: 0 }
  return quiet + elapsed >= MAX_WAIT ? { t: next, quiet: 0 } : { t: moved, quiet: quiet + elapsed }
}

/** The most that the clock may be behind arriving events, in milliseconds of watching. */
const MAX_DELAY = 1_000

/** The time of the clock while events arrive at `speed`: it moves evenly, close behind the last one. */
export function followArrivals(t: number, elapsed: number, speed: number, last: number): number {
  return Math.max(t, Math.min(Math.max(t + elapsed * speed, last - MAX_DELAY * speed), last))
}

/** The moment of the next or the previous event; the same moment without one. */
export function neighbour(events: { at: number }[], t: number, way: 1 | -1): number {
  if (way === 1) return events[countUpTo(events, t, 'at')]?.at ?? t
  const earlier = events.slice(0, countUpTo(events, t, 'at')).filter(({ at }) => at < t)
  return earlier.at(-1)?.at ?? t
}

export interface Clock {
  t: number
  isPlaying: boolean
  speed: number
  /** The number of times that it was started or moved. */
  changes: number
  /** Goes to a moment. */
  seek: (t: number) => void
  play: (isPlaying: boolean) => void
  setSpeed: (speed: number) => void
}

/** The time of a clock at the last event, whichever that is by then. */
const LATEST: ClockState = { t: Number.POSITIVE_INFINITY, quiet: 0 }

/** A clock over events of a `whole` history. It opens at its end and stays there when more happens; with a `liveSpeed` it follows arriving events. */
export function useClock(events: { at: number }[], liveSpeed: number | null, whole: { at: number }[]): Clock {
  const start = whole[0]?.at ?? 0
  const end = whole.at(-1)?.at ?? start
  const [from, to] = [events[0]?.at ?? start, events.at(-1)?.at ?? start]
  const [state, setState] = useState<ClockState>(LATEST)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const [changes, setChanges] = useState(0)
  const [wasLive, setWasLive] = useState(false)
  if (wasLive !== (liveSpeed !== null)) {
    setWasLive(liveSpeed !== null)
    setChanges(changes + 1)
    // Events arrive from the first one on.
    if (liveSpeed !== null) setState({ t: start, quiet: 0 })
  }
  // When no more events arrive, the last ones play on at the speed at which they came.
  const [catchUpSpeed, setCatchUpSpeed] = useState<number | null>(null)
  const isRunning = isPlaying || liveSpeed !== null || catchUpSpeed !== null
  const t = Math.min(Math.max(state.t, from), to)

  const tick = useEffectEvent((elapsed: number) => {
    const rate = liveSpeed ?? catchUpSpeed
    if (rate !== null) {
      const next = followArrivals(t, elapsed, rate, to)
      setState({ t: next, quiet: 0 })
      setCatchUpSpeed(liveSpeed === null && next >= to ? null : rate)
      return
    }
    const next = advance({ ...state, t }, elapsed, speed, events)
    setState(next.t >= end ? LATEST : next)
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

  const seek = useCallback(
    (t: number) => {
      setState(t >= end ? LATEST : { t, quiet: 0 })
      setCatchUpSpeed(null)
      setChanges((changes) => changes + 1)
    },
    [end],
  )
  const play = (isOn: boolean) => {
    // From its end it starts over.
    if (isOn && t >= to) seek(from)
    setPlaying(isOn)
    setChanges((changes) => changes + 1)
  }
  return { t, isPlaying: isPlaying && liveSpeed === null, speed, changes, seek, play, setSpeed }
}
