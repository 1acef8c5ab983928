import { Problem } from '../resource/problem.ts'

/** A 422 about one value; the pointer is relative to the attributes, as in `/personCount/adults`. Never quotes PII. */
export function invalidValue(pointer: string, detail: string, meta: Record<string, unknown> = {}): Problem {
  return new Problem('validation-failed', detail, { pointer, meta })
}
