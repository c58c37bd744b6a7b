import * as v from 'valibot'

const row = v.nullish(v.record(v.string(), v.unknown()))
const change = v.object({ table: v.string(), before: row, after: row, changed: v.optional(v.array(v.string())) })

interface FieldChange {
  field: string
  before: string | undefined
  after: string | undefined
}

/** A row that would change, and how. */
export interface RowDiff {
  table: string
  /** The name of the row: its key, as far as one can be seen. */
  name: string
  kind: 'added' | 'removed' | 'changed'
  fields: FieldChange[]
}

/** Reads the changes of a dry run; other values are left out. */
export function readChanges(changes: unknown[]): RowDiff[] {
  return changes.flatMap((one) => {
    const read = v.safeParse(change, one)
    return read.success ? [diffOf(read.output)] : []
  })
}

function diffOf({ table, before, after, changed }: v.InferOutput<typeof change>): RowDiff {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const written = (value: unknown) => (value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value))
  const differing = fields
    .map((field) => ({ field, before: written(before?.[field]), after: written(after?.[field]) }))
    // Masked values look equal even if they differ.
    .filter((one) => changed?.includes(one.field) ?? one.before !== one.after)
  const id = (after ?? before)?.['id'] ?? Object.entries(after ?? before ?? {}).find(([name]) => name.endsWith('_id'))?.[1]
  return {
    table,
    name: typeof id === 'string' ? id : '',
    kind: before == null ? 'added' : after == null ? 'removed' : 'changed',
    fields: differing,
  }
}
