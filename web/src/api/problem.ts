import * as v from 'valibot'

import { serviceText, type ServiceMessage } from '@/lib/texts'

import type { ProblemCode } from './generated/types.gen'

const codeSchema = v.custom<ProblemCode>((code) => typeof code === 'string')
const paramsSchema = v.optional(v.record(v.string(), v.union([v.string(), v.number()])))

const problemSchema = v.object({
  type: v.optional(v.string()),
  code: v.optional(codeSchema),
  params: paramsSchema,
  title: v.optional(v.string()),
  status: v.number(),
  detail: v.optional(v.string()),
  message: v.string(),
  error: v.optional(v.string()),
  fields: v.optional(v.record(v.string(), v.string())),
  fieldCodes: v.optional(v.record(v.string(), v.object({ code: codeSchema, params: paramsSchema }))),
})

type ProblemBody = v.InferOutput<typeof problemSchema>

/** A call that a service refused; `message` is meant for people, and empty where it gave no reason. */
export class Problem extends Error {
  readonly status: number
  /** The stable code of the problem: `order.driver-required`. */
  readonly code: ProblemCode | undefined
  /** The values in the message. */
  readonly params: ServiceMessage['params']
  /** The fault of each field, on 422. */
  readonly fields: Record<string, string>
  /** The codes of those faults. */
  readonly fieldCodes: Record<string, Omit<ServiceMessage, 'message'>>
  /** The whole answer, for problems that carry more (the new quote on 409). */
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { success, output } = v.safeParse(problemSchema, body)
    const read: ProblemBody | undefined = success ? output : undefined
    super(read?.message ?? '')
    this.name = 'Problem'
    this.status = status
    this.code = read?.code
    this.params = read?.params
    this.fields = read?.fields ?? {}
    this.fieldCodes = read?.fieldCodes ?? {}
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
  return isProblem(error) && error.message !== '' ? serviceText(error) : fallback
}

/** The fault that the service found in a field, in the reader's language if it is known. */
export function faultOf(error: unknown, field: string): string | undefined {
  const message = isProblem(error) ? error.fields[field] : undefined
  return isProblem(error) && message !== undefined ? serviceText({ ...error.fieldCodes[field], message }) : undefined
}

/** Shows the service's refusals at the fields of a form. */
export function showAtFields<F extends string>(error: unknown, fields: readonly F[], setError: (field: F, error: { message: string }) => void) {
  for (const field of fields) {
    const message = faultOf(error, field)
    if (message !== undefined) setError(field, { message })
  }
}
