import { startTransition, useDeferredValue, useEffect, useState } from 'react'

/**
 * False when a component is drawn first, true a moment later: what lies below the first screen waits, so that
 * what is seen first is there sooner, and the browser can answer a touch in between.
 */
export function useSoon(): boolean {
  return useDeferredValue(true, false)
}

/** From the frame that draws something until it is on a phone's screen, in milliseconds. */
const FRAME = 60
/** The delay after which a hidden page, which draws no frames, goes on. */
const UNSEEN = 500

/** False until what a component drew first is on the screen: what is large is fetched only once that is seen. */
export function useOncePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const tell = () => {
      startTransition(() => {
        setPainted(true)
      })
    }
    let timer = setTimeout(tell, UNSEEN)
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer)
      timer = setTimeout(tell, FRAME)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return painted
}
