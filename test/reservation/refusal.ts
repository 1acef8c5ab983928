import assert from 'node:assert/strict'
import { Problem, type ProblemCode } from '../../src/resource/problem.ts'

/** For assert.throws: a Problem of this code, and where they are given at this pointer and with this meta. */
export function refusal(code: ProblemCode, pointer?: string, meta?: Record<string, unknown>) {
  return (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, code)
    if (pointer !== undefined) assert.equal(error.options.pointer, pointer)
    if (meta) assert.partialDeepStrictEqual(error.options.meta, meta)
    return true
  }
}
