import type { ReactNode } from 'react'

import classes from './Tiles.module.css'

/** Figures at a glance, each a `Tile`. */
export function Tiles({ children }: { children: ReactNode }) {
  return <dl className={classes.tiles}>{children}</dl>
}

interface TileProps {
  label: string
  value: string | number
  /** True if the figure needs attention. */
  alarm?: boolean
  /** The small line below it. */
  children?: ReactNode
}

export function Tile({ label, value, alarm = false, children }: TileProps) {
  return (
    <div className={classes.tile} data-alarm={alarm || undefined}>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {children !== undefined && <dd className={classes.small}>{children}</dd>}
    </div>
  )
}
