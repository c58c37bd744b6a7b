import { type RefObject, useEffect } from 'react'

/** Lets the keys 1 to 9 move to the ticket of the board with that number, while `areOn`: a keypad is enough for a kitchen. */
export function useTicketNumbers(areOn: boolean, board: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!areOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      const card = board.current?.querySelector<HTMLElement>(`[data-number="${event.key}"]`)
      if (card == null) return
      event.preventDefault()
      card.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [areOn, board])
}

/** True for what takes digits itself, and for all of a dialog. */
function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, [role=dialog]') !== null
}
