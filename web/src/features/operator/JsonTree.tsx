import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { MASK } from './envelope'
import { isId } from './event-filter'
import classes from './tree.module.css'

/** Deeper than this, branches begin folded. */
const OPEN = 2
/** Branches with more entries than this begin folded, too. */
const LONG = 40

/** A JSON value as a tree; an id links to the events of its aggregate. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  if (typeof value !== 'object' || value === null) return <Leaf value={value} />
  return <Branch value={value} depth={0} label={label} />
}

function Branch({ value, depth, label }: { value: object; depth: number; label?: string }) {
  return (
    <ul className={classes.tree} aria-label={label}>
      {Object.entries(value).map(([name, child]) => (
        <li key={name}>
          <Node name={name} value={child} depth={depth} />
        </li>
      ))}
    </ul>
  )
}

function Node({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  const t = useTexts()
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  if (typeof value !== 'object' || value === null || size === 0) {
    return (
      <div className={classes.line}>
        <span className={classes.name}>{name}</span> <Leaf value={value} />
      </div>
    )
  }
  return (
    <details open={depth < OPEN && size <= LONG}>
      <summary>
        <span className={classes.name}>{name}</span>{' '}
        <span className={classes.size}>{Array.isArray(value) ? t('operator.items', { count: size }) : t('operator.fields', { count: size })}</span>
      </summary>
      <Branch value={value} depth={depth + 1} />
    </details>
  )
}

function Leaf({ value }: { value: unknown }) {
  const t = useTexts()
  if (value === MASK) {
    return (
      <span className={classes.masked} title={t('operator.masked')}>
        {MASK}
      </span>
    )
  }
  if (typeof value === 'string' && isId(value)) {
    return (
      <Anchor component={Link} to={paths.operator.events({ aggregate: value })} className={classes.value ?? ''}>
        {value}
      </Anchor>
    )
  }
  return (
    <span className={classes.value} data-kind={value === null ? 'null' : typeof value}>
      {JSON.stringify(value) ?? '–'}
    </span>
  )
}
