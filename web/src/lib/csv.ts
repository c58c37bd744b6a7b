/** A value of a table's cell. */
export type Cell = string | number | boolean | null | undefined

/** The texts that a spreadsheet takes for a formula; the library's own pattern misses those with a line break. */
const FORMULA = /^[=+\-@\t\r\n]/

/**
 * A table in the form of RFC 4180. An apostrophe precedes each text that a spreadsheet would take for a formula, so
 * that a customer's text never runs where the file is opened.
 */
export async function csvOf(columns: string[], rows: Cell[][]): Promise<string> {
  const { unparse } = (await import('papaparse')).default
  return unparse({ fields: columns, data: rows }, { newline: '\r\n', escapeFormulae: FORMULA })
}

/** A CSV file. The mark at its start makes spreadsheets read it as UTF-8. */
export function csvFile(text: string): Blob {
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' })
}
