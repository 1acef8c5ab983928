import { Problem } from '../resource/problem.ts'

/**
 * Returns a 422 about one value. The pointer is relative to the attributes, as in `/personCount/adults`. The detail
 * must not contain PII.
 */
export function invalidValue(pointer: string, detail: string, meta: Record<string, unknown> = {}): Problem {
  return new Problem('validation-failed', detail, { pointer, meta })
}
