import { memo } from 'react'

import { useTexts } from '@/lib/texts'

import { AXIS_HEIGHT, type GraphLayout, gutterOf, LANE_HEIGHT, RADIUS } from './graph-layout'
import type { TimelineEvent } from './history'
import { laneText } from './timeline-texts'
import classes from './timeline.module.css'

interface Props {
  layout: GraphLayout
  lanes: string[]
  width: number
  /** The number of all positions. */
  positions: number
  selectedId: string | null
  chain: Set<string>
  /** Later events are not drawn yet. */
  until: number
  onSelect: (id: string) => void
  /** Gets the x of the chosen bar of positions. */
  onSelectPosition: (x: number) => void
}

/** Lanes, events, and arrows from causes to effects. The list says the same in words. */
export const EventGraphSvg = memo(function EventGraphSvg({ layout, lanes, width, positions, selectedId, chain, until, onSelect, onSelectPosition }: Props) {
  const t = useTexts()
  const gutter = gutterOf(width)
  const quiet = (id: string) => (selectedId !== null && !chain.has(id) ? true : undefined)
  const later = (one: TimelineEvent) => (one.at > until ? true : undefined)
  return (
    <svg width={width} height={layout.height} className={classes.drawing} aria-hidden="true">
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
          <path d="M0 0.500 7.500 4 0 7.500z" className={classes.tip} />
        </marker>
      </defs>
      {lanes.map((lane, index) => (
        <g key={lane} data-lane={lane} className={classes.lane} transform={`translate(0 ${String(index * LANE_HEIGHT)})`}>
          {index % 2 === 0 && <rect width={width} height={LANE_HEIGHT} className={classes.stripe} />}
          <line x1={0} x2={width} y1={LANE_HEIGHT * 0.62} y2={LANE_HEIGHT * 0.62} className={classes.rail} />
        </g>
      ))}
      {layout.ticks.map(({ x, text }) => (
        <g key={x} transform={`translate(${x.toFixed(1)} 0)`}>
          <line y2={layout.height - AXIS_HEIGHT} className={classes.tick} />
          <text y={layout.height - 10} textAnchor="middle" className={classes.tickText}>
            {text}
          </text>
        </g>
      ))}
      <g data-lane="position" className={classes.lane}>
        {layout.bars.map(({ x, y, height, count }) => (
          <rect
            key={x}
            x={x - 2.5}
            y={y}
            width={5}
            height={height}
            rx={2}
            className={classes.bar}
            data-count={count}
            data-picks
            onClick={() => {
              onSelectPosition(x)
            }}
          />
        ))}
      </g>
      {layout.arrows.map(({ id, cause, path }) => (
        <path
          key={id}
          d={path}
          markerEnd="url(#tip)"
          className={classes.arrow}
          data-testid="arrow"
          data-chosen={selectedId !== null && chain.has(id) && chain.has(cause) ? true : undefined}
          data-quiet={quiet(id)}
        />
      ))}
      {layout.dots.map(({ one, x, y, label }) => (
        <g key={one.id} data-lane={one.lane} className={classes.lane} data-quiet={quiet(one.id)} data-later={later(one)}>
          {one.id === selectedId && <circle cx={x} cy={y} r={RADIUS + 5} className={classes.ring} />}
          <circle cx={x} cy={y} r={RADIUS} className={classes.dot} />
          {label !== null && (
            <text x={label.x} y={label.y} textAnchor="middle" className={classes.dotName}>
              {label.text}
            </text>
          )}
          <circle
            cx={x}
            cy={y}
            r={13}
            className={classes.target}
            data-testid="event"
            data-kind={one.kind}
            data-picks
            onClick={() => {
              onSelect(one.id)
            }}
          >
            <title>{one.name}</title>
          </circle>
        </g>
      ))}
      {layout.arrows.map(({ id, x, y, label }) =>
        label === null ? null : (
          <text key={id} x={x} y={y + 4} textAnchor="middle" className={classes.latency} data-testid="latency" data-quiet={quiet(id)}>
            {label}
          </text>
        ),
      )}
      {gutter > 0 && <rect width={gutter} height={layout.height} className={classes.gutter} />}
      {lanes.map((lane, index) => (
        <g key={lane} data-lane={lane} className={classes.lane} transform={`translate(12 ${String(index * LANE_HEIGHT)})`}>
          <text y={gutter > 0 ? LANE_HEIGHT * 0.62 + 4 : 17} className={classes.laneName}>
            {laneText(lane)}
          </text>
          {lane === 'position' && (
            <text x={gutter > 0 ? 0 : 50} y={gutter > 0 ? LANE_HEIGHT * 0.62 + 19 : 17} className={classes.laneCount}>
              {t('operator.timelinePositions', { count: positions })}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
})
