import type { Reporter, SerializedError, TestModule } from 'vitest/node'

import { backOffice } from './back-office'
import { customer } from './customer'
import { rowName } from './row'

/** The number of characters of an error that are reported. */
const LONGEST = 1500

type Spec = Record<string, Record<string, readonly string[]>>

/**
 * Prints which test saw which row of the specification. In a whole run, a row that none saw fails it.
 * Failures come last, so that the end of a long log shows them.
 */
export class SpecTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const seenBy = new Map<string, string>()
    for (const test of modules.flatMap((module) => [...module.children.allTests('passed')])) {
      for (const row of test.meta().seen ?? []) {
        if (!seenBy.has(row)) seenBy.set(row, `${test.module.relativeModuleId}: ${test.fullName}`)
      }
    }
    const whole = process.env.TIFFIN_JOURNEY === 'whole'
    const empty = [print('customer', customer, seenBy, whole), print('back office', backOffice, seenBy, whole)]
    if (whole && empty.some((rows) => rows > 0)) process.exitCode = 1
    printFailures(modules)
    for (const error of unhandled) printFailure('outside of the tests', error)
  }
}

function print(title: string, spec: Spec, seenBy: Map<string, string>, whole: boolean): number {
  const rows = Object.entries(spec).flatMap(([screen, kinds]) =>
    Object.entries(kinds).flatMap(([kind, listed]) => listed.map((row) => rowName(screen, kind, row))),
  )
  const empty = rows.filter((row) => !seenBy.has(row))
  // A partial run says what it saw; what others would see is no news.
  const shown = whole ? rows : rows.filter((row) => seenBy.has(row))
  const width = Math.max(0, ...shown.map((row) => row.length))
  const lines = shown.map((row) => `  ${row.padEnd(width)}  ${seenBy.get(row) ?? '— seen by no test —'}`)
  const sum = `${String(rows.length - empty.length)} of ${String(rows.length)} rows seen`
  process.stdout.write(`\nThe specification, ${title}: ${sum}\n${lines.join('\n')}\n`)
  return empty.length
}

function printFailures(modules: readonly TestModule[]) {
  for (const module of modules) {
    for (const failed of [module, ...module.children.allSuites(), ...module.children.allTests('failed')]) {
      const errors = failed.type === 'test' ? (failed.result().errors ?? []) : failed.errors()
      const name = failed.type === 'module' ? 'the file itself' : failed.fullName
      for (const error of errors) printFailure(`${module.relativeModuleId}: ${name}`, error)
    }
  }
}

function printFailure(name: string, { message, stacks }: Pick<SerializedError, 'message' | 'stacks'>) {
  const where = stacks?.map(({ file, line }) => `${file.split('/journey/').at(-1) ?? file}:${String(line)}`)
  process.stdout.write(`\nFailed: ${name}\n${message.slice(0, LONGEST)}\n${where?.join(' < ') ?? ''}\n`)
}
