import { Button, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'

interface Props {
  label: string
  isLoading?: boolean
  onMore: () => void
}

/** The controls of a page, and its entries that take the focus though they have no control. */
const CONTROLS = 'main a[href], main article[tabindex], main button:not(:disabled), main input, main select, main textarea'

/** Brings more rows at the end of a list. Pressed by a key, it hands the focus to the first of them. */
export function MoreButton({ label, isLoading = false, onMore }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  /** The last control of the list before more rows were asked for. */
  const last = useRef<Element | null>(null)

  const goOn = () => {
    if (last.current === null || isLoading) return
    const next = controlAfter(last.current)
    if (next === button.current) return
    last.current = null
    next?.focus()
  }
  useEffect(goOn)
  // With the last rows the button goes.
  useEffect(
    () => () => {
      if (last.current !== null) controlAfter(last.current)?.focus()
    },
    [],
  )

  return (
    <Group justify="center" mt="sm">
      <Button
        ref={button}
        variant="default"
        loading={isLoading}
        onClick={({ currentTarget, detail }) => {
          // A press by a pointer counts its clicks; the pointer stays where it is.
          last.current = detail === 0 ? controlBefore(currentTarget) : null
          onMore()
        }}
      >
        {label}
      </Button>
    </Group>
  )
}

function controls(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
}

function controlBefore(element: Element): HTMLElement | null {
  return controls().findLast((one) => isBefore(one, element)) ?? null
}

function controlAfter(element: Element): HTMLElement | null {
  return controls().find((one) => isBefore(element, one)) ?? null
}

function isBefore(one: Element, other: Element): boolean {
  return one !== other && (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}
