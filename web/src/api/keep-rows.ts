import { replaceEqualDeep } from '@tanstack/react-query'

/**
 * A list as it was fetched now, with each row that did not change taken from before, wherever it was: it need not be drawn
 * again. On its own, a query compares the rows at the same place, and a row that left makes all those behind it new.
 */
export function keepRows(before: unknown, now: unknown): unknown {
  if (!areRows(before) || !areRows(now)) return now
  const known = new Map(before.map((row) => [row._id, row]))
  const rows = now.map((row) => replaceEqualDeep(known.get(row._id), row))
  return rows.length === before.length && rows.every((row, nth) => row === before[nth]) ? before : rows
}

function areRows(value: unknown): value is { _id: string }[] {
  return Array.isArray(value) && value.every((row: unknown) => typeof row === 'object' && row !== null && '_id' in row)
}
