import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore } from '@/lib/store'

const soundSetting = jsonStore('orderSound', v.boolean(), true)

/** Hertz, one note after the other. */
const NOTES = [659, 880, 1047]
/** Seconds from one note to the next, and how long each rings. */
const NOTE_INTERVAL = 0.16
const NOTE_DURATION = 0.9

let context: AudioContext | null = null

/** Unlocks sound at the first touch, before which browsers allow none. The returned function stops waiting. */
export function enableOrderSound(): () => void {
  const resumeAudio = () => {
    context ??= new AudioContext()
    void context.resume()
  }
  const gestures = ['pointerdown', 'keydown'] as const
  for (const gesture of gestures) window.addEventListener(gesture, resumeAudio)
  return () => {
    for (const gesture of gestures) window.removeEventListener(gesture, resumeAudio)
  }
}

/** A bell of three notes, where it is wanted and may sound. */
export function playOrderSound(): void {
  if (!soundSetting.get() || context === null) return
  const { destination, currentTime } = context
  for (const [at, frequency] of NOTES.entries()) {
    const start = currentTime + at * NOTE_INTERVAL
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.3, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_DURATION)
    const note = new OscillatorNode(context, { type: 'sine', frequency })
    note.connect(volume).connect(destination)
    note.start(start)
    note.stop(start + NOTE_DURATION)
  }
}

/** The setting of a sound for new orders. */
export function useSound(): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore(soundSetting.subscribe, soundSetting.get)
  return [
    on,
    (next) => {
      soundSetting.set(next)
      playOrderSound()
    },
  ]
}
