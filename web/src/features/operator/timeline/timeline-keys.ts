import { useWindowEvent } from '@mantine/hooks'
import type { RefObject } from 'react'

/** The places in which every key is typed, or chooses something. */
const TYPING = 'textarea, select, input:not([type="radio"], [type="checkbox"]), [contenteditable], [role="dialog"], [role="menu"]'
/** Controls that Space presses. */
const PRESSED = 'button, input, a, summary, [role="application"]'

/** The keys of a timeline's page. Space scrolls the page's other regions, and so acts from `section` or from nowhere. */
export function useTimelineKeys(section: RefObject<HTMLElement | null>, isOn: boolean, acts: Record<string, () => void>): void {
  useWindowEvent('keydown', (event) => {
    const { target, key } = event
    if (!isOn || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const act = acts[key.toLowerCase()]
    if (act === undefined || !(target instanceof Element) || target.closest(TYPING) !== null) return
    const takesSpace = target === document.body || section.current?.contains(target) === true
    if (key === ' ' && (!takesSpace || target.closest(PRESSED) !== null)) return
    event.preventDefault()
    act()
  })
}
