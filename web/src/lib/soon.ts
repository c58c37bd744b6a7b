import { useDeferredValue } from 'react'

/**
 * False when a component is drawn first, true a moment later: what lies below the first screen waits, so that
 * what is seen first is there sooner, and the browser can answer a touch in between.
 */
export function useSoon(): boolean {
  return useDeferredValue(true, false)
}
