import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What `run.ts` is told of a test or suite that has ended, or of a line that a test has to say, one JSON line each. */
export interface Reported {
  /** From the file down to the test itself. */
  path: readonly string[]
  kind: 'test' | 'suite' | 'diagnostic'
  outcome: 'passed' | 'failed' | 'skipped'
  ms: number
  /** Why it was skipped, how it failed, or what it has to say. */
  text: string
}

/** A reporter of node:test that writes a `Reported` a line. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = []
  for await (const { type, data } of source) {
    if (type === 'test:start') path.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    if (type === 'test:diagnostic' && data.nesting > 0) {
      const said: Reported = { path: [], kind: 'diagnostic', outcome: 'passed', ms: 0, text: data.message }
      yield `${JSON.stringify(said)}\n`
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { details, nesting, name, skip } = data
    const isSkipped = skip !== undefined && skip !== false
    const reported: Reported = {
      path: [...path.slice(0, nesting), name],
      kind: details.type === 'suite' ? 'suite' : 'test',
      outcome: type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed',
      ms: details.duration_ms,
      text: type === 'test:fail' ? inspect(data.details.error) : typeof skip === 'string' ? skip : '',
    }
    yield `${JSON.stringify(reported)}\n`
  }
}
