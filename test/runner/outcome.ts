import type { Reported } from './reporter.ts'

/** How a process has ended, and what it has reported until then. */
export interface Ended {
  files: readonly string[]
  reported: readonly Reported[]
  /** What its tests printed. */
  printed: string
  /** Why it did not end well; null where its exit code is 0. */
  ended: string | null
  /** The test that it began last, from its file down; null where it began none. */
  last: string | null
  /** Only some of the tests were wanted, so that a file may have none. */
  isPart?: boolean
}

/** What failed, for a person. */
export interface Failure {
  /** From the file down to the test, or the process. */
  name: string
  file: string
  text: string
}

/** What came of one process. */
export interface Outcome {
  /** Those that are judged by it. */
  files: readonly string[]
  /** Those that it did not come to, or whose reports are lost: nothing is known of them. */
  unreached: readonly string[]
  reported: readonly Reported[]
  printed: string
  failures: Failure[]
  /** What is wrong with the process and none of its files alone explains, so that no second try of a file can excuse it. */
  unexplained: Failure[]
}

/** Judges a process by its reports and by how it ended. */
export function outcomeOf({ files, reported, printed, ended, last, isPart = false }: Ended): Outcome {
  // node:test does not report the end of a file of which no test was wanted.
  const isWhole = (file: string) => hasEnded(file, reported) || (isPart && ended === null)
  const whole = files.filter(isWhole)
  const open = files.filter((file) => !isWhole(file))
  const broken = open.find((file) => last?.startsWith(`${file} > `)) ?? open[0]
  const judged = broken === undefined ? whole : [...whole, broken]
  const known = reported.filter(({ path, kind }) => kind === 'diagnostic' || judged.includes(path[0]!))
  const failures = [...known.filter(isFailure).map(failureOf), ...(isPart ? [] : withoutTest(whole, known))]
  const unexplained = reported
    .filter(({ kind, outcome }) => kind === 'diagnostic' && outcome === 'failed')
    .map(({ text }) => ofProcess(files[0]!, 'left something running that failed', text))
  const words = printed.slice(-4_000)
  const how = ended ?? 'ended too early'
  if (last === null && open.length > 0)
    unexplained.push(ofProcess(files[0]!, `${how}, before any test`, words))
  else if (broken !== undefined) failures.push(ofProcess(broken, `${how}, in ${last}`, words))
  else if (ended && !(isOfFailures(ended) && failures.length + unexplained.length > 0))
    unexplained.push(ofProcess(files.at(-1)!, `${ended} after its last test`, words))
  return {
    files: judged,
    unreached: open.filter((file) => file !== broken),
    reported: known,
    printed,
    failures,
    unexplained,
  }
}

/** Whether nothing in a process has failed. */
export const isFine = ({ failures, unexplained }: Outcome): boolean =>
  failures.length === 0 && unexplained.length === 0

/** What of a process holds when some of its files are run again. */
export function without(outcome: Outcome, again: ReadonlySet<string>): Outcome {
  return {
    ...outcome,
    files: outcome.files.filter((file) => !again.has(file)),
    reported: outcome.reported.filter(({ path }) => !again.has(path[0]!)),
    failures: outcome.failures.filter(({ file }) => !again.has(file)),
  }
}

/** node:test ends with 1 after a test that failed. */
const isOfFailures = (ended: string) => ended === 'ended with exit code 1'

/** Whether a file has come to its end. */
const hasEnded = (file: string, reported: readonly Reported[]) =>
  reported.some(({ path }) => path.length === 1 && path[0] === file)

const isFailure = ({ kind, outcome }: Reported) => kind !== 'diagnostic' && outcome === 'failed'

const failureOf = ({ path, text }: Reported): Failure => ({ name: path.join(' > '), file: path[0]!, text })

const ofProcess = (file: string, how: string, text: string): Failure => ({
  name: `${file}: the process ${how}`,
  file,
  text,
})

/** A file that ends without a test proves nothing, be it that a table has become empty. */
function withoutTest(whole: readonly string[], reported: readonly Reported[]): Failure[] {
  const said = (file: string) => reported.filter(({ path }) => path[0] === file)
  return whole
    .filter((file) => said(file).every(({ path, outcome }) => path.length === 1 && outcome === 'passed'))
    .map((file) => ({ name: file, file, text: 'The file has no test.' }))
}
