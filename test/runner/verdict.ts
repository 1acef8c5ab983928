import { hasEnded, type Outcome } from './group-process.ts'
import type { Reported } from './reporter.ts'
import { commandFor, mayRunAgain } from './tiers.ts'

/** So many files that failed once and passed alone are a machine that stalls; one more is a run that proves nothing. */
const mostFlaky = 2
/** More failed files than this are a defect in what they share: none of them is run again. */
const mostAgain = 8

/** Whether nothing in a process has failed. */
export const isFine = ({ broken, reported }: Outcome): boolean =>
  !broken && !reported.some(({ outcome }) => outcome === 'failed')

/** The files of a process that have failed, or that it did not come to. */
export function failedFiles({ files, reported, broken }: Outcome): string[] {
  const failed = files.filter((file) =>
    reported.some(({ path, outcome }) => path[0] === file && outcome === 'failed'),
  )
  const left = broken ? files.filter((file) => !hasEnded(file, reported)) : []
  const found = [...new Set([...failed, ...left])]
  // A process that ends badly after its last test: nobody knows by which file.
  return broken && found.length === 0 ? [...files] : found
}

/** Which of the failed files to run once more, alone: all of them, or none. */
export function worthAnotherTry(failed: readonly string[]): string[] {
  const again = failed.filter(mayRunAgain)
  return again.length > mostAgain ? [] : again
}

/** What of a process holds when some of its files are run again. */
export function without(files: readonly string[], outcome: Outcome): Outcome {
  const isKept = ({ path }: Reported) => !files.includes(path[0] ?? '')
  const left = outcome.files.filter((file) => !files.includes(file))
  return {
    ...outcome,
    files: left,
    reported: outcome.reported.filter(isKept),
    broken:
      left.length === 0 || left.every((file) => hasEnded(file, outcome.reported)) ? null : outcome.broken,
  }
}

/** The sum of a run. */
export interface Tally {
  totals: Record<'tests' | 'suites' | 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo', number>
  leftOut: number
  slowest: { file: string; ms: number }[]
  failures: { name: string; file: string; text: string }[]
  /** What tests say, and what they were left out for. */
  lines: string[]
}

/** Counts what processes have reported. `isVerbose`: every test has a line. */
export function tallyOf(outcomes: readonly Outcome[], isVerbose: boolean): Tally {
  const tally: Tally = {
    totals: { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 },
    leftOut: 0,
    slowest: [],
    failures: [],
    lines: [],
  }
  for (const outcome of outcomes) {
    for (const reported of outcome.reported) count(tally, reported, isVerbose)
    const { broken, files, printed } = outcome
    if (!broken) continue
    const file = files.find((each) => !hasEnded(each, outcome.reported)) ?? files[0]!
    tally.failures.push({ name: `the process ${broken}`, file, text: printed.slice(-4_000) })
    tally.totals.fail++
  }
  tally.slowest.sort((a, b) => b.ms - a.ms)
  return tally
}

function count(tally: Tally, { path, kind, outcome, ms, text }: Reported, isVerbose: boolean): void {
  const { totals, failures, lines } = tally
  if (kind === 'diagnostic') {
    lines.push(`ℹ ${text}`)
    return
  }
  const name = path.join(' > ')
  const file = path[0]!
  if (path.length === 1 && kind === 'suite') tally.slowest.push({ file, ms })
  else if (kind === 'suite') totals.suites++
  if (kind === 'suite' && outcome !== 'skipped') {
    // A suite fails with its tests, or by what comes before and after them.
    if (outcome === 'failed' && !/subtests? failed/.test(text)) {
      failures.push({ name, file, text })
      totals.fail++
    }
    return
  }
  totals.tests++
  totals[outcome === 'passed' ? 'pass' : outcome === 'failed' ? 'fail' : 'skipped']++
  if (outcome === 'failed') failures.push({ name, file, text })
  const applies = !text.startsWith('does not apply:')
  if (outcome === 'skipped' && applies) tally.leftOut++
  if (outcome === 'skipped' && (applies || isVerbose)) lines.push(`ℹ ${text || 'skipped'}: ${name}`)
  else if (isVerbose) lines.push(`${outcome === 'passed' ? '✔' : '✖'} ${name} (${ms.toFixed(1)} ms)`)
}

/** A failure as a person reads it at once: where, what, and how to see it again. */
export const failureText = ({ name, file, text }: Tally['failures'][number], seed: string): string =>
  `✖ FAILED ${name}\n${text}\nIn ${file}, alone with the same seed: TEST_SEED=${seed} ${commandFor(file)}`

/** The judgement of a run in one line, and whether it is a red one. `isComplete`: tests that were left out make it red. */
export function verdictOf(
  { failures, leftOut, totals }: Tally,
  flaky: readonly string[],
  isComplete: boolean,
): { isRed: boolean; text: string } {
  const red = (text: string) => ({ isRed: true, text })
  const files = new Set(failures.map(({ file }) => file)).size
  if (failures.length > 0) return red(`defect: ${failures.length} failures in ${files} files`)
  if (totals.tests === totals.skipped) return red('no test was run')
  if (flaky.length > mostFlaky) return red(`flaky: ${flaky.length}, where ${mostFlaky} are allowed`)
  if (leftOut > 0 && isComplete) return red(`left out: ${leftOut} tests, see above for what they lack`)
  const said = [
    'passed',
    ...(flaky.length > 0 ? [`flaky: ${flaky.length}`] : []),
    ...(leftOut > 0 ? [`left out: ${leftOut}, see above for what they lack`] : []),
  ]
  return { isRed: false, text: said.join('; ') }
}
