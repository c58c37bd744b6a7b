import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const STORAGE_PREFIX = 'scroll:'

/** A new page begins at its top; going back restores the scroll position. */
export function ScrollRestoration() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const shown = useRef<string | null>(null)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const savePosition = () => {
      sessionStorage.setItem(STORAGE_PREFIX + key, String(window.scrollY))
    }
    window.addEventListener('scrollend', savePosition)
    window.addEventListener('pagehide', savePosition)
    return () => {
      window.removeEventListener('scrollend', savePosition)
      window.removeEventListener('pagehide', savePosition)
    }
  }, [key])

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = pathname
    const goesBack = type === 'POP'
    const kept = goesBack ? sessionStorage.getItem(STORAGE_PREFIX + key) : null
    // A page that was just opened is at its top; scrolling there would cost another layout.
    if (before === null && kept === null) return
    if (goesBack || before !== pathname) window.scrollTo(0, Number(kept ?? 0))
  }, [pathname, key, type])

  return null
}
