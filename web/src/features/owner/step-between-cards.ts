import type { KeyboardEvent } from 'react'

/** Arrows go to the card above, below, or in the next column that has any. */
export function stepBetweenCards(event: KeyboardEvent<HTMLElement>) {
  const { key, target, currentTarget } = event
  if (!(target instanceof HTMLElement) || target.dataset.card === undefined) return
  const columns = [...currentTarget.querySelectorAll<HTMLElement>('[data-column]')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-card]'),
  ])
  const at = columns.findIndex((cards) => cards.includes(target))
  const own = columns[at] ?? []
  const row = own.indexOf(target)
  const beside = (found: HTMLElement[] | undefined) => found?.[Math.min(row, found.length - 1)]
  const filled = (cards: HTMLElement[]) => cards.length > 0
  const goals: Record<string, () => HTMLElement | undefined> = {
    ArrowUp: () => own[row - 1],
    ArrowDown: () => own[row + 1],
    ArrowLeft: () => beside(columns.slice(0, at).findLast(filled)),
    ArrowRight: () => beside(columns.slice(at + 1).find(filled)),
    Home: () => own[0],
    End: () => own.at(-1),
  }
  const goal = goals[key]?.()
  if (goal === undefined) return
  event.preventDefault()
  goal.focus()
}
