import { type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'

import { panned, type View, zoomed } from './scale'

/** The distance in CSS pixels below which a moved pointer counts as a touch. */
const TAP_TOLERANCE = 5

interface Options {
  element: HTMLElement | null
  width: number
  view: View
  onMove: (view: View) => void
  onZoom: (view: View) => void
  /** Called for a touch without a move. */
  onTap: (x: number) => void
  offsetAt: (x: number) => number
}

interface PointerTrack {
  x: number
  start: number
}

/** Moves and zooms by pointers and wheel: one pointer moves, two zoom, the wheel zooms with Ctrl. */
export function useGestures({ element, width, view, onMove, onZoom, onTap, offsetAt }: Options) {
  const pointers = useRef(new Map<number, PointerTrack>())
  const isMoving = useRef(false)
  const xOf = (event: { clientX: number }) => event.clientX - (element?.getBoundingClientRect().left ?? 0)

  const wheel = useEffectEvent((event: WheelEvent) => {
    const sideways = event.shiftKey ? event.deltaY : event.deltaX
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      onZoom(zoomed(view, Math.exp(event.deltaY / 300), offsetAt(xOf(event))))
    } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      event.preventDefault()
      onMove(panned(view, sideways / width))
    }
  })
  // React's own listener is passive and can't stop the page from zooming.
  useEffect(() => {
    const turn = (event: WheelEvent) => {
      wheel(event)
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [element])

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (pointers.current.size === 0) isMoving.current = false
    pointers.current.set(event.pointerId, { x: xOf(event), start: xOf(event) })
  }
  const onPointerMove = (event: PointerEvent) => {
    const pointer = pointers.current.get(event.pointerId)
    if (pointer === undefined) return
    const x = xOf(event)
    if (!isMoving.current && Math.abs(x - pointer.start) < TAP_TOLERANCE) return
    isMoving.current = true
    element?.setPointerCapture(event.pointerId)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (other === undefined) onMove(panned(view, (pointer.x - x) / width))
    else if (x !== other.x) onZoom(zoomed(view, Math.abs((pointer.x - other.x) / (x - other.x)), offsetAt((x + other.x) / 2)))
    pointer.x = x
  }
  const onPointerUp = (event: PointerEvent) => {
    const pointer = pointers.current.get(event.pointerId)
    pointers.current.delete(event.pointerId)
    const picks = event.target instanceof Element && event.target.hasAttribute('data-picks')
    if (pointer !== undefined && !isMoving.current && event.type === 'pointerup' && !picks) onTap(xOf(event))
  }
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp }
}
