import { type Failure, isFine, type Outcome } from './outcome.ts'
import type { Reported } from './reporter.ts'
import { commandFor, mayRunAgain } from './tiers.ts'

/** So many files that failed once and passed alone are a machine that stalls; one more is a run that proves nothing. */
const mostFlaky = 2
/** More failed files than this are a defect in what they share: none of them is run again. */
const mostAgain = 8

/** Which of the failed files to run once more, alone. */
export function worthAnotherTry(outcomes: readonly Outcome[]): string[] {
  const failed = new Set(outcomes.flatMap(({ failures }) => failures.map(({ file }) => file)))
  return failed.size > mostAgain ? [] : [...failed].filter(mayRunAgain)
}

/** The sum of a run. */
export interface Tally {
  totals: Record<'tests' | 'suites' | 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo', number>
  leftOut: number
  slowest: { file: string; ms: number }[]
  failures: Failure[]
  isFine: boolean
  /** What tests say, and what they were left out for. */
  lines: string[]
}

/** Counts what processes have reported. `isVerbose`: every test has a line. */
export function tallyOf(outcomes: readonly Outcome[], isVerbose: boolean): Tally {
  const failures = outcomes.flatMap((outcome) => [...outcome.failures, ...outcome.unexplained])
  const tally: Tally = {
    totals: { tests: 0, suites: 0, pass: 0, fail: failures.length, cancelled: 0, skipped: 0, todo: 0 },
    leftOut: 0,
    slowest: [],
    failures,
    isFine: outcomes.every(isFine),
    lines: [],
  }
  for (const { reported } of outcomes) for (const each of reported) count(tally, each, isVerbose)
  tally.slowest.sort((a, b) => b.ms - a.ms)
  return tally
}

function count(tally: Tally, { path, kind, outcome, ms, text }: Reported, isVerbose: boolean): void {
  const { totals, lines } = tally
  if (kind === 'diagnostic') {
    if (outcome === 'passed') lines.push(`ℹ ${text}`)
    return
  }
  const name = path.join(' > ')
  if (path.length === 1 && kind === 'suite') tally.slowest.push({ file: name, ms })
  else if (kind === 'suite') totals.suites++
  if (kind === 'suite' && outcome !== 'skipped') return
  totals.tests++
  if (outcome === 'passed') totals.pass++
  const applies = !text.startsWith('does not apply:')
  if (outcome === 'skipped') {
    totals.skipped++
    if (applies) tally.leftOut++
  }
  if (outcome === 'skipped' && (applies || isVerbose)) lines.push(`ℹ ${text || 'skipped'}: ${name}`)
  else if (isVerbose) lines.push(`${outcome === 'passed' ? '✔' : '✖'} ${name} (${ms.toFixed(1)} ms)`)
}

/** A failure as a person reads it at once: where, what, and how to see it again. */
export const failureText = ({ name, file, text }: Failure, seed: string): string =>
  `✖ FAILED ${name}\n${text}\nIn ${file}, alone with the same seed: TEST_SEED=${seed} ${commandFor(file)}`

/** Failures that say the same, such as those of all tests whose house does not start. */
export interface Cause {
  first: Failure
  others: Failure[]
}

/**
 * Failures by their cause: what they say, without the place in the code, and whatever its numbers, ids and folders are. The commonest
 * comes first.
 */
export function causesOf(failures: readonly Failure[]): Cause[] {
  const said = ({ text }: Failure) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
      .join('\n')
      .replaceAll(/\/[^\s'"]*nightporter-[^\s'"]*/g, 'folder')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d+/g, '#')
  return [...Map.groupBy(failures, said).values()]
    .map(([first, ...others]) => ({ first: first!, others }))
    .sort((a, b) => b.others.length - a.others.length)
}

const mostNamed = 10

/** A cause with its first failure in full, and the names of the others. */
export function causeText({ first, others }: Cause, seed: string): string {
  if (others.length === 0) return failureText(first, seed)
  const names = others.slice(0, mostNamed).map(({ name }) => `  ${name}`)
  const more = others.length > mostNamed ? [`  and ${others.length - mostNamed} more`] : []
  return [failureText(first, seed), `The same in ${others.length} other tests:`, ...names, ...more].join('\n')
}

/** The judgement of a run in one line, and whether it is a red one. `isComplete`: tests that were left out make it red. */
export function verdictOf(
  { failures, isFine, leftOut, totals }: Tally,
  flaky: readonly string[],
  isComplete: boolean,
): { isRed: boolean; text: string } {
  const red = (text: string) => ({ isRed: true, text })
  const files = new Set(failures.map(({ file }) => file)).size
  const causes = causesOf(failures).length
  const fewer = causes < failures.length ? `, of ${causes} ${causes === 1 ? 'cause' : 'causes'}` : ''
  if (!isFine) return red(`defect: ${failures.length} failures in ${files} files${fewer}`)
  if (totals.tests === 0) return red('no test was run')
  if (flaky.length > mostFlaky) return red(`flaky: ${flaky.length}, where ${mostFlaky} are allowed`)
  if (leftOut > 0 && isComplete) return red(`left out: ${leftOut} tests, see above for what they lack`)
  const said = [
    'passed',
    ...(flaky.length > 0 ? [`flaky: ${flaky.length}`] : []),
    ...(leftOut > 0 ? [`left out: ${leftOut}, see above for what they lack`] : []),
  ]
  return { isRed: false, text: said.join('; ') }
}
