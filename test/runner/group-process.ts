import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Reported } from './reporter.ts'
import { root, type Tier } from './tiers.ts'

/** What a process runs in. */
export interface Surroundings {
  tier: Tier
  /** Where its report and its files are. */
  folder: string
  environment: NodeJS.ProcessEnv
  countsAssertions: boolean
  /** Only tests whose full names match this regular expression are run; null for all. */
  name: string | null
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
/** So long the last words of a process that has ended are waited for. */
const lastWordsMs = 2_000

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
export async function runGroup(
  files: readonly string[],
  number: number,
  { tier, folder, environment, countsAssertions, name }: Surroundings,
): Promise<Outcome> {
  const [report, progress] = [join(folder, `report-${number}`), join(folder, `progress-${number}`)]
  const { test, silence } = longest[tier]
  const options = [
    `--test-timeout=${test * 1_000}`,
    '--test-reporter=./test/runner/reporter.ts',
    `--test-reporter-destination=${report}`,
    ...(name === null ? [] : [`--test-name-pattern=${name}`]),
    ...(countsAssertions ? ['--import=./test/runner/count-assertions.ts'] : []),
  ]
  // A group of its own, so that no process of a test outlives it.
  const child = spawn(process.execPath, [...options, 'test/runner/group.ts', ...files], {
    cwd: root,
    env: { ...environment, PROGRESS_FILE: progress, RUNNER_PIPE: '3' },
    // The last one closes when this process ends, however it does.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  await once(child, 'spawn')
  const leader = child.pid!
  leaders.add(leader)
  let printed = ''
  const streams = [child.stdout!, child.stderr!]
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const closed = once(child, 'close')
  let size = 0
  let silentFor = 0
  const watch = setInterval(() => {
    const now = sizeOf(report) + sizeOf(progress)
    silentFor = now === size ? silentFor + lookEveryMs : 0
    size = now
    if (silentFor > silence * 1_000) endGroup(leader)
  }, lookEveryMs)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  clearInterval(watch)
  endGroup(leader)
  leaders.delete(leader)
  // A process that has left the group may hold what we read from.
  await Promise.race([closed, pause(lastWordsMs, undefined, { ref: false })])
  for (const stream of streams) stream.destroy()
  const ended =
    silentFor > silence * 1_000
      ? `reported nothing for ${silence} s`
      : signal
        ? `was ended by ${signal}`
        : code !== 0
          ? `ended with exit code ${code}`
          : null
  const reported = linesOf(report).map((line) => JSON.parse(line) as Reported)
  return outcomeOf({
    files,
    reported,
    printed,
    ended,
    last: linesOf(progress).at(-1) ?? null,
    isPart: name !== null,
  })
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The whole lines of a file, none where there is no file. */
const linesOf = (path: string) =>
  readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1)
