import { useId } from 'react'

import type { Bar } from './Bars'
import classes from './figures.module.css'

/** Named bars below each other. */
export function Ranking({ label, bars }: { label: string; bars: Bar[] }) {
  const id = useId()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure className={classes.chart}>
      <figcaption id={id} className={classes.caption}>
        {label}
      </figcaption>
      <ol className={classes.ranking} aria-labelledby={id}>
        {bars.map(({ label: name, value, text }) => (
          <li key={name}>
            <span>{name}</span>
            <span>{text}</span>
            <i style={{ width: `${(value / most) * 100}%` }} />
          </li>
        ))}
      </ol>
    </figure>
  )
}
