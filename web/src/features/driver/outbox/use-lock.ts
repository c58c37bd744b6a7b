import { useEffect, useState } from 'react'

import { holdLock } from './lock'

/** True while this tab wants the named lock and alone holds it. */
export function useLock(name: string, isWanted: boolean): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    const given = new AbortController()
    holdLock(name, given.signal, () => setHeld(true))
    return () => {
      given.abort()
      setHeld(false)
    }
  }, [name, isWanted])
  return isHeld
}
