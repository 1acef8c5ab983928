import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Ended, isFine, type Outcome, outcomeOf, without } from './outcome.ts'
import type { Reported } from './reporter.ts'
import { causesOf, causeText, tallyOf, verdictOf, worthAnotherTry } from './verdict.ts'

const [first, second, third] = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'] as const

const of = (path: string[], outcome: Reported['outcome'], kind: Reported['kind'] = 'test'): Reported => ({
  path,
  kind,
  outcome,
  ms: 1,
  text: outcome === 'failed' ? 'torn' : '',
})
/** A file with one test. */
const file = (name: string, outcome: Reported['outcome'] = 'passed') => [
  of([name, 'works'], outcome),
  of([name], 'passed', 'suite'),
]
const process = (over: Partial<Ended>): Outcome =>
  outcomeOf({ files: [first, second, third], reported: [], printed: '', ended: null, last: null, ...over })
const verdict = (outcomes: Outcome[], flaky: string[] = []) =>
  verdictOf(tallyOf(outcomes, false), flaky, true)
const allFine = [first, second, third].flatMap((name) => file(name))

describe('a process of tests', () => {
  it('is fine when each of its files has ended, with its tests', () => {
    const outcome = process({ reported: allFine })
    assert.equal(isFine(outcome), true)
    assert.deepEqual(verdict([outcome]), { isRed: false, text: 'passed' })
  })

  it('that is ended in the middle blames the file that it was in, and leaves the others to be run', () => {
    const outcome = process({
      reported: [...file(first), of([second, 'begins'], 'passed')],
      ended: 'was ended by SIGKILL',
      last: `${second} > hangs`,
    })
    assert.deepEqual(
      outcome.failures.map(({ name }) => name),
      [`${second}: the process was ended by SIGKILL, in ${second} > hangs`],
    )
    assert.deepEqual([outcome.files, outcome.unreached], [[first, second], [third]])
    assert.deepEqual(worthAnotherTry([outcome]), [second])
  })

  it('that ends before any test is red, and says that nobody knows of which file', () => {
    const outcome = process({ ended: 'ended with exit code 1', printed: 'no such module' })
    assert.deepEqual(worthAnotherTry([outcome]), [])
    assert.match(outcome.unexplained[0]!.name, /before any test$/)
    assert.equal(outcome.unexplained[0]!.text, 'no such module')
  })

  it('of which some tests were wanted may have files without any', () => {
    const wanted = [of([second, 'works'], 'passed')]
    const outcome = process({ reported: wanted, last: `${second} > works`, isPart: true })
    assert.deepEqual([isFine(outcome), outcome.unreached], [true, []])
    assert.deepEqual(verdict([outcome]), { isRed: false, text: 'passed' })
    assert.equal(verdict([process({ isPart: true })]).isRed, true, 'none matched')
    const failed = process({ reported: [of([second, 'works'], 'failed')], isPart: true })
    assert.equal(verdict([failed]).isRed, true)
    const ended = process({ reported: wanted, ended: 'was ended by SIGKILL', isPart: true })
    assert.equal(isFine(ended), false)
  })

  it('that ends badly after its last test is red, whatever is run again', () => {
    const outcome = process({ reported: allFine, ended: 'ended with exit code 1' })
    assert.deepEqual(worthAnotherTry([outcome]), [])
    assert.equal(verdict([without(outcome, new Set())]).isRed, true)
  })

  it('stays red for an error that no test has caught, also when the file that failed passes alone', () => {
    const uncaught = { ...of([], 'failed', 'diagnostic'), text: 'asynchronous activity after the test ended' }
    const reported = [...file(first, 'failed'), ...file(second), ...file(third), uncaught]
    const outcome = process({ reported, ended: 'ended with exit code 1' })
    const again = worthAnotherTry([outcome])
    assert.deepEqual(again, [first])
    const alone = process({ files: [first], reported: file(first) })
    const { isRed, text } = verdict([without(outcome, new Set(again)), alone], again)
    assert.deepEqual([isRed, text], [true, 'defect: 1 failures in 1 files'])
  })

  it('fails for a file that has no test', () => {
    const outcome = process({ reported: [...file(first), of([second], 'passed', 'suite'), ...file(third)] })
    assert.deepEqual(outcome.failures, [{ name: second, file: second, text: 'The file has no test.' }])
  })
})

describe('a second try', () => {
  it('excuses the file that passes alone, and counts its tests once', () => {
    const outcome = process({
      reported: [...file(first, 'failed'), ...file(second), ...file(third)],
      ended: 'ended with exit code 1',
    })
    const kept = [without(outcome, new Set([first])), process({ files: [first], reported: file(first) })]
    assert.deepEqual(verdict(kept, [first]), { isRed: false, text: 'passed; flaky: 1' })
    assert.equal(tallyOf(kept, false).totals.pass, 3)
    assert.equal(verdict(kept, [first, second, third]).isRed, true)
  })

  it('is not given to tests of keys, payments and data, nor to many files at once', () => {
    const failing = (name: string) => process({ files: [name], reported: file(name, 'failed') })
    const never = ['access/keys', 'store/door', 'terminal/by-hand', 'drivers/hkr1/door', 'backup/restore']
    assert.deepEqual(worthAnotherTry(never.map((name) => failing(`test/${name}.test.ts`))), [])
    assert.deepEqual(worthAnotherTry([failing('test/store/lock.real.test.ts')]), [])
    const many = Array.from({ length: 9 }, (_, at) => failing(`test/jsonapi/${at}.test.ts`))
    assert.equal(worthAnotherTry(many.slice(1)).length, 8)
    assert.deepEqual(worthAnotherTry(many), [])
  })
})

describe('the verdict', () => {
  const skipped = (why: string) =>
    process({ files: [first], reported: [{ ...of([first, 'works'], 'skipped'), text: why }, ...file(first)] })

  it('counts what was left out, but not what does not apply', () => {
    assert.equal(verdict([skipped('left out: socat is not installed')]).isRed, true)
    assert.equal(verdict([skipped('does not apply: no such row')]).isRed, false)
  })

  it('is red where there was no test', () => {
    assert.deepEqual(verdict([]), { isRed: true, text: 'no test was run' })
  })
})

describe('failures of one cause', () => {
  const failure = (name: string, text: string) => ({ name, file: first, text })

  it('are shown once, with the names of the others, the commonest cause first', () => {
    const failures = [
      failure('alone', 'Expected 2, and 3 came'),
      failure(
        'one',
        "SqliteError: no such column: vip in '/tmp/nightporter-test-x1/nightporter.db'\n    at open",
      ),
      failure(
        'two',
        "\nSqliteError: no such column: vip in '/tmp/nightporter-test-y2/nightporter.db'\n    at start",
      ),
      failure('three', "SqliteError: no such column: vip in '/tmp/nightporter-test-z3/nightporter.db'"),
    ]
    const [common, single, ...more] = causesOf(failures)
    assert.deepEqual(more, [])
    assert.deepEqual([common!.first.name, common!.others.map(({ name }) => name)], ['one', ['two', 'three']])
    assert.deepEqual([single!.first.name, single!.others], ['alone', []])
    const shown = causeText(common!, '7')
    assert.match(shown, /^✖ FAILED one\nSqliteError/)
    assert.match(shown, /\nThe same in 2 other tests:\n {2}two\n {2}three$/)
    assert.equal(shown.match(/SqliteError/g)!.length, 1)
  })

  it('differ by what they say, and not by ids and numbers', () => {
    const id = (digit: string) => `${digit.repeat(8)}-1111-7111-8111-111111111111`
    const count = (...texts: string[]) => causesOf(texts.map((text, at) => failure(String(at), text))).length
    assert.equal(count(`no stay ${id('a')} at 12`, `no stay ${id('b')} at 345`), 1)
    assert.equal(count('no stay', 'no room'), 2)
    assert.equal(count('Expected:\n+ a', 'Expected:\n+ b'), 2)
    assert.equal(count('torn\n    at here', 'torn\n    at there'), 1)
    assert.equal(count('', '\n', ' '), 1)
    assert.equal(count(), 0)
  })

  it('are no more than ten names', () => {
    const failures = Array.from({ length: 15 }, (_, at) => failure(`test ${at}`, 'torn'))
    assert.match(
      causeText(causesOf(failures)[0]!, '7'),
      /The same in 14 other tests:\n( {2}test \d+\n){10} {2}and 4 more$/,
    )
  })
})
