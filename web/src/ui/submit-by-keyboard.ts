import type { KeyboardEvent } from 'react'

/** Submits the form around a control by Ctrl or Command with Enter. */
export function submitByKeyboard(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.closest('form')?.requestSubmit()
}
