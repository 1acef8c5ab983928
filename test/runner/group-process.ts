import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Reported } from './reporter.ts'
import { root, type Tier } from './tiers.ts'

/** What came of one process. */
export interface Outcome {
  files: readonly string[]
  reported: Reported[]
  /** What its tests printed. */
  printed: string
  /** Why it ended, other than by its tests; null where nothing was wrong. */
  broken: string | null
}

/** What a process runs in. */
export interface Surroundings {
  tier: Tier
  /** Where its report and its files are. */
  folder: string
  environment: NodeJS.ProcessEnv
  countsAssertions: boolean
}

/**
 * In seconds, a test that takes longer hangs, and fails under its name; so does a process that reports nothing for longer. They end
 * what hangs, and judge no behaviour: the slowest machine stays far below them.
 */
const longest: Record<Tier, { test: number; silence: number }> = {
  gate: { test: 240, silence: 260 },
  real: { test: 300, silence: 400 },
  long: { test: 1_200, silence: 1_800 },
}

const lookEveryMs = 2_000

/** The processes that run, each the leader of a group. */
const leaders = new Set<number>()

/** Ends whatever runs, with all that it has started. */
export function endAll(): void {
  for (const leader of leaders) endGroup(leader)
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

/** Runs files in a process, and ends it with whatever it has started. */
export function runGroup(
  files: readonly string[],
  number: number,
  { tier, folder, environment, countsAssertions }: Surroundings,
): Promise<Outcome> {
  const report = join(folder, `report-${number}`)
  const { test, silence } = longest[tier]
  const options = [
    `--test-timeout=${test * 1_000}`,
    '--test-reporter=./test/runner/reporter.ts',
    `--test-reporter-destination=${report}`,
    ...(countsAssertions ? ['--import=./test/runner/count-assertions.ts'] : []),
  ]
  // A group of its own, so that no process of a test outlives it.
  const child = spawn(process.execPath, [...options, 'test/runner/group.ts', ...files], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const leader = child.pid!
  leaders.add(leader)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  let size = 0
  let silentFor = 0
  const watch = setInterval(() => {
    const now = statSync(report, { throwIfNoEntry: false })?.size ?? 0
    silentFor = now === size ? silentFor + lookEveryMs : 0
    size = now
    if (silentFor > silence * 1_000) endGroup(leader)
  }, lookEveryMs)
  return new Promise((resolve) => {
    // Not `close`: a process that a failed test has left behind may hold what we read from.
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      endGroup(leader)
      leaders.delete(leader)
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      const all = readReport(report)
      const reported = all.filter(({ outcome }) => outcome !== 'begun')
      const isFailed = reported.some(({ outcome }) => outcome === 'failed')
      const last = all.findLast(({ outcome }) => outcome === 'begun')?.path.join(' > ') ?? 'any test'
      const missing = files.find((file) => !hasEnded(file, reported))
      const broken =
        silentFor > silence * 1_000
          ? `reported nothing for ${silence} s, in ${last}`
          : signal
            ? `was ended by ${signal}, in ${last}`
            : code !== 0 && !isFailed
              ? `ended with exit code ${code}, in ${last}`
              : missing
                ? `ended before ${missing}`
                : null
      resolve({ files, reported, printed, broken })
    })
  })
}

/** Whether a file has come to its end. */
export const hasEnded = (file: string, reported: readonly Reported[]): boolean =>
  reported.some(({ path }) => path.length === 1 && path[0] === file)

function readReport(path: string): Reported[] {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Reported)
}
