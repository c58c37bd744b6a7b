import * as v from 'valibot'

import { serverText } from '@/lib/texts'

const problemSchema = v.object({
  type: v.optional(v.string()),
  title: v.optional(v.string()),
  status: v.number(),
  detail: v.optional(v.string()),
  message: v.string(),
  error: v.optional(v.string()),
  fields: v.optional(v.record(v.string(), v.string())),
})

type ProblemBody = v.InferOutput<typeof problemSchema>

/** A call that a service refused; `message` is meant for people, and empty where it gave no reason. */
export class Problem extends Error {
  readonly status: number
  /** The fault of each field, on 422. */
  readonly fields: Record<string, string>
  /** The whole answer, for problems that carry more (the new quote on 409). */
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { success, output } = v.safeParse(problemSchema, body)
    const read: ProblemBody | undefined = success ? output : undefined
    super(read?.message ?? '')
    this.name = 'Problem'
    this.status = status
    this.fields = read?.fields ?? {}
    this.body = body
  }
}

const reasonSchema = v.object({ reason: v.string(), challenge: v.optional(v.string()) })

/** The remedy that a refusal names in `reason`, if any. */
export function remedyOf(body: unknown): v.InferOutput<typeof reasonSchema> | undefined {
  const { success, output } = v.safeParse(reasonSchema, body)
  return success ? output : undefined
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem
}

/** The service's sentence, in the reader's language if it is known, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  return isProblem(error) && error.message !== '' ? serverText(error.message) : fallback
}

/** Shows at each field of a form what the service found wrong with it. */
export function showAtFields<F extends string>(error: unknown, fields: readonly F[], setError: (field: F, error: { message: string }) => void) {
  if (!isProblem(error)) return
  for (const field of fields) {
    const message = error.fields[field]
    if (message !== undefined) setError(field, { message: serverText(message) })
  }
}
