import { useId } from 'react'

import classes from './figures.module.css'

export interface Bar {
  label: string
  value: number
  /** The formatted value. */
  text: string
}

/** Width and gap of a bar in the drawing's own units. */
const WIDTH = 10
const GAP = 2
const HEIGHT = 100

/** Bars over an axis with its first, middle and last label; the table beside has them all. */
export function Bars({ label, bars }: { label: string; bars: Bar[] }) {
  const id = useId()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const highest = bars.find(({ value }) => value === most)
  const marks = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)]
  return (
    <figure className={classes.chart}>
      <figcaption id={id} className={classes.caption}>
        {label}
        {highest !== undefined && highest.value > 0 && <span>{`${highest.label}: ${highest.text}`}</span>}
      </figcaption>
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-labelledby={id}>
        {bars.map(({ label: name, value, text }, at) => (
          <rect
            key={name}
            x={at * WIDTH + GAP / 2}
            y={HEIGHT - (value / most) * HEIGHT}
            width={WIDTH - GAP}
            height={(value / most) * HEIGHT}
          >
            <title>{`${name}: ${text}`}</title>
          </rect>
        ))}
      </svg>
      <div className={classes.axis} aria-hidden="true">
        {marks.map((mark, at) => (
          <span key={`${at} ${mark?.label}`}>{mark?.label}</span>
        ))}
      </div>
    </figure>
  )
}
