import { AssertionError } from 'node:assert'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What `run.ts` learns of a test or suite that has ended, or of a line that a test says, one JSON line each. */
export interface Reported {
  /** From the file down to the test itself; empty for what belongs to the process. */
  path: readonly string[]
  kind: 'test' | 'suite' | 'diagnostic'
  /** A suite fails by what comes before and after its tests, and not again by each of them. */
  outcome: 'passed' | 'failed' | 'skipped'
  ms: number
  /** Why it was skipped, how it failed, or what it says. */
  text: string
}

/** What node:test says of an error that no test has caught, as a line of the process. */
const uncaught = /asynchronous activity after the test ended/

/** A reporter of node:test that writes a `Reported` a line. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = []
  const line = (reported: Reported) => `${JSON.stringify(reported)}\n`
  for await (const { type, data } of source) {
    if (type === 'test:start') path.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    if (type === 'test:diagnostic') {
      const isUncaught = uncaught.test(data.message)
      const outcome = isUncaught ? 'failed' : 'passed'
      // The other lines of the process are its counts.
      if (isUncaught || data.nesting > 0)
        yield line({ path: [], kind: 'diagnostic', outcome, ms: 0, text: data.message })
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { details, nesting, name, skip } = data
    const error = type === 'test:fail' ? data.details.error : null
    const isSkipped = skip !== undefined && skip !== false
    yield line({
      path: [...path.slice(0, nesting), name],
      kind: details.type === 'suite' ? 'suite' : 'test',
      outcome: error && !isOfSubtests(error) ? 'failed' : isSkipped ? 'skipped' : 'passed',
      ms: details.duration_ms,
      text: error ? failureOf(error) : typeof skip === 'string' ? skip : '',
    })
  }
}

const isOfSubtests = (error: Error) => 'failureType' in error && error.failureType === 'subtestsFailed'

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
