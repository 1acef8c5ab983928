import { AssertionError } from 'node:assert'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What `run.ts` learns of a test or suite that begins or has ended, or of a line that a test says, one JSON line each. */
export interface Reported {
  /** From the file down to the test itself. */
  path: readonly string[]
  kind: 'test' | 'suite' | 'diagnostic'
  outcome: 'begun' | 'passed' | 'failed' | 'skipped'
  ms: number
  /** Why it was skipped, how it failed, or what it says. */
  text: string
}

/** A reporter of node:test that writes a `Reported` a line. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = []
  const running: string[] = []
  const line = (reported: Reported) => `${JSON.stringify(reported)}\n`
  for await (const { type, data } of source) {
    if (type === 'test:start') path.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    // At once, where `test:start` comes in the order of the file: what hangs is named by it.
    if (type === 'test:dequeue') {
      running.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
      yield line({ path: [...running], kind: 'test', outcome: 'begun', ms: 0, text: '' })
    }
    if (type === 'test:diagnostic' && data.nesting > 0)
      yield line({ path: [], kind: 'diagnostic', outcome: 'passed', ms: 0, text: data.message })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { details, nesting, name, skip } = data
    const isSkipped = skip !== undefined && skip !== false
    yield line({
      path: [...path.slice(0, nesting), name],
      kind: details.type === 'suite' ? 'suite' : 'test',
      outcome: type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed',
      ms: details.duration_ms,
      text: type === 'test:fail' ? failureOf(data.details.error) : typeof skip === 'string' ? skip : '',
    })
  }
}

/** The message, what was expected and what came, and then where. */
function failureOf(error: Error): string {
  const { cause } = error
  if (!(cause instanceof AssertionError)) return inspect(error)
  const shown = (value: unknown) =>
    inspect(value, { depth: 8, maxArrayLength: 40, maxStringLength: 2_000, breakLength: 100 })
  const where = (cause.stack ?? '').split('\n').filter((each) => /^ +at /.test(each))
  return [
    cause.message,
    `expected: ${shown(cause.expected)}`,
    `actual:   ${shown(cause.actual)}`,
    ...where,
  ].join('\n')
}
