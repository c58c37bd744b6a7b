import { useEffect, useState } from 'react'

/** Whole seconds left until a moment that `start` sets; 0 when it has passed. */
export function useCountdown() {
  const [end, setEnd] = useState(0)
  const [left, setLeft] = useState(0)

  // The clock is outside React.
  useEffect(() => {
    if (end === 0) return
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      setLeft(seconds)
      if (seconds === 0) clearInterval(timer)
    }, 250)
    return () => {
      clearInterval(timer)
    }
  }, [end])

  return {
    left,
    start: (seconds: number) => {
      setLeft(seconds)
      setEnd(Date.now() + seconds * 1000)
    },
  }
}
