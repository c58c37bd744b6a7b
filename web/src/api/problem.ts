import * as z from 'zod/mini'

const problemSchema = z.object({
  type: z.optional(z.string()),
  title: z.optional(z.string()),
  status: z.number(),
  detail: z.optional(z.string()),
  message: z.string(),
  error: z.optional(z.string()),
  fields: z.optional(z.record(z.string(), z.string())),
})

type ProblemBody = z.infer<typeof problemSchema>

/** A call that a service refused; `message` is meant for people. */
export class Problem extends Error {
  readonly status: number
  /** What is wrong with each field, on 422. */
  readonly fields: Record<string, string>
  /** The whole answer, for problems that carry more (the new quote on 409). */
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const read: ProblemBody | undefined = problemSchema.safeParse(body).data
    super(read?.message ?? 'An error occurred')
    this.name = 'Problem'
    this.status = status
    this.fields = read?.fields ?? {}
    this.body = body
  }
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem
}

/** The service's own words where it gave any, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  return isProblem(error) ? error.message : fallback
}
