import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const KEPT = 'scroll:'

/** A new page begins at its top; going back leads to where its reader was. */
export function ScrollKeeper() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)

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
    const samePage = shown.current === pathname
    shown.current = pathname
    if (type === 'POP') window.scrollTo(0, Number(sessionStorage.getItem(KEPT + key) ?? 0))
    else if (!samePage) window.scrollTo(0, 0)
  }, [pathname, key, type])

  return null
}
