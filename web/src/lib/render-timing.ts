import { startTransition, useDeferredValue, useEffect, useState } from 'react'

/**
 * False when a component is drawn first, true a moment later: what lies below the first screen waits, so that
 * what is seen first is there sooner, and the browser can answer a touch in between.
 */
export function useAfterFirstRender(): boolean {
  return useDeferredValue(true, false)
}

/** The time from a frame until it is on a phone's screen, in milliseconds. */
const FRAME_DELAY = 60
/** The delay for a hidden page, which draws no frames, in milliseconds. */
const HIDDEN_PAGE_DELAY = 500

/** False until the first rendering is on the screen. Large parts are fetched only after that. */
export function useAfterFirstPaint(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const finish = () => {
      startTransition(() => {
        setPainted(true)
      })
    }
    let timer = setTimeout(finish, HIDDEN_PAGE_DELAY)
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer)
      timer = setTimeout(finish, FRAME_DELAY)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return painted
}
