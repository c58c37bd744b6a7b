import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

import { isMasked } from './envelope'

export type JsonFault =
  /** The line and column of the first error. */
  | { kind: 'broken'; message: string; line: number; column: number }
  | { kind: 'not an object' }
  | { kind: 'masked' }

type ReadPayload = { data: Record<string, unknown>; fault: null } | { data: null; fault: JsonFault }

/** Reads a payload that an operator has written. */
export function readPayload(text: string): ReadPayload {
  const errors: ParseError[] = []
  const data: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  const [first] = errors
  if (first !== undefined) return { data: null, fault: { kind: 'broken', message: errorText(first), ...lineAndColumn(text, first.offset) } }
  if (!isRecord(data)) return { data: null, fault: { kind: 'not an object' } }
  // A masked field would be published with its mask.
  if (isMasked(data)) return { data: null, fault: { kind: 'masked' } }
  return { data, fault: null }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `value expected` of `ValueExpected`. */
function errorText({ error }: ParseError): string {
  return printParseErrorCode(error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

function lineAndColumn(text: string, offset: number) {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
