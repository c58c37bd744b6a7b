import { type KeyboardEvent, useId, useState } from 'react'

import { markText } from '@/lib/numbers'

import { scaleOf } from './chart-scale'
import classes from './figures.module.css'

export interface Bar {
  label: string
  /** Its name below the axis, where there is room for it. */
  mark: string
  value: number
  /** The formatted value. */
  text: string
}

interface Props {
  label: string
  bars: Bar[]
  /** The unit before the marks of the values. */
  unit?: string
}

/** The most names that an axis has room for. */
const MARKS = 10

/** Bars over a named axis. The pointer and the arrow keys choose one, which the caption names. */
export function Bars({ label, bars, unit = '' }: Props) {
  const id = useId()
  const [chosen, setChosen] = useState<number | null>(null)
  const scale = scaleOf(Math.max(0, ...bars.map(({ value }) => value)))
  const top = scale.at(-1) ?? 1
  const highest = bars.reduce((best, { value }, at) => (value > (bars[best]?.value ?? 0) ? at : best), 0)
  const named = bars[chosen ?? highest]
  const step = Math.ceil(bars.length / MARKS)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(event.key, chosen ?? highest, bars.length - 1)
    if (to === null) return
    event.preventDefault()
    setChosen(to)
  }
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span id={id}>{label}</span>
        {named !== undefined && (chosen !== null || named.value > 0) && <span>{`${named.label}: ${named.text}`}</span>}
      </figcaption>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden="true">
          {scale.map((value) => (
            <span key={value}>{`${unit}${markText(value)}`}</span>
          ))}
        </div>
        <div
          className={classes.bars}
          style={{ backgroundSize: `100% ${100 / (scale.length - 1)}%` }}
          role="listbox"
          aria-orientation="horizontal"
          aria-labelledby={id}
          aria-activedescendant={chosen === null ? undefined : `${id}-${chosen}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onFocus={() => {
            setChosen((before) => before ?? highest)
          }}
          onBlur={() => {
            setChosen(null)
          }}
        >
          {bars.map((bar, at) => (
            <div
              key={bar.label}
              id={`${id}-${at}`}
              className={classes.bar}
              role="option"
              aria-selected={at === chosen}
              aria-label={`${bar.label}: ${bar.text}`}
              onPointerEnter={() => {
                setChosen(at)
              }}
              onPointerLeave={() => {
                setChosen(null)
              }}
            >
              <span style={{ height: `${(bar.value / top) * 100}%` }} />
            </div>
          ))}
        </div>
        <div className={classes.marks} aria-hidden="true">
          {bars.map(({ label: name, mark }, at) => (
            <span key={name} data-odd={(at / step) % 2 === 1 || undefined}>
              {at % step === 0 && mark}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}

/** The bar that a key leads to; null of other keys. */
function target(key: string, from: number, last: number): number | null {
  if (key === 'ArrowRight') return Math.min(last, from + 1)
  if (key === 'ArrowLeft') return Math.max(0, from - 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}
