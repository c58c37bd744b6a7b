import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const KEPT = 'scroll:'

/** A new page begins at its top; going back leads to where its reader was. */
export function ScrollKeeper() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const shown = useRef<string | null>(null)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const keep = () => {
      sessionStorage.setItem(KEPT + key, String(window.scrollY))
    }
    window.addEventListener('scrollend', keep)
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('scrollend', keep)
      window.removeEventListener('pagehide', keep)
    }
  }, [key])

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = pathname
    const goesBack = type === 'POP'
    const kept = goesBack ? sessionStorage.getItem(KEPT + key) : null
    // A page that was just opened is at its top; scrolling there would have it laid out once more.
    if (before === null && kept === null) return
    if (goesBack || before !== pathname) window.scrollTo(0, Number(kept ?? 0))
  }, [pathname, key, type])

  return null
}
