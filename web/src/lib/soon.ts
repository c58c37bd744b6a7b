import { startTransition, useDeferredValue, useEffect, useState } from 'react'

/**
 * False when a component is drawn first, true a moment later: what lies below the first screen waits, so that
 * what is seen first is there sooner, and the browser can answer a touch in between.
 */
export function useSoon(): boolean {
  return useDeferredValue(true, false)
}

/** False until what a component drew first has been painted: what is large is fetched only once that is seen. */
export function useOncePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    // The next frame paints it; in the one after that it has been.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        startTransition(() => {
          setPainted(true)
        })
      })
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [])
  return painted
}
