import classes from './console.module.css'

const WIDTH = 120
const HEIGHT = 28

/** The recent course of a figure; its value is beside it in words. */
export function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return null
  const top = Math.max(...values, 1)
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH
    return `${x.toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 3)).toFixed(1)}`
  })
  return (
    <svg className={classes.sparkline} viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
