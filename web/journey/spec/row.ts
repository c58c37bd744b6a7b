/** How a row stands in the table, and in what a test records. */
export function rowName(screen: string, kind: string, row: string): string {
  return `${screen} · ${kind} · ${row}`
}
