/** The form of a row in the table, and in a test's record. */
export function rowName(screen: string, kind: string, row: string): string {
  return `${screen} · ${kind} · ${row}`
}
