/**
 * Runs the tests: `node test/run.ts [--long] [--verbose] [--complete] [--assertions] [MODULE...]`. A module is the beginning
 * of a path below `test`, such as `access` or `store/door`.
 *
 *   --long        the tests of minutes, in `test/long`, instead of the others
 *   --verbose     names every test, and shows what the tests print
 *   --complete    fails where a test was left out; one that does not apply to what it would try is not left out
 *   --assertions  counts the assertions that were made
 *
 * Files share processes, because loading the program takes longer than most tests. What runs in threads and
 * processes of its own is the bundle, which loads in a third of the time; the long tests start the program from source. Data
 * folders lie in memory where the machine has a file system for that: no test is about what the disk does with a flush.
 */
import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../image/bundle.ts'
import { releasedOn } from '../src/built-at.ts'
import type { Reported } from './reporter.ts'

const root = join(import.meta.dirname, '..')
/** The files that share a process weigh so much at most, see `weightOf`. */
const mostWeight = 150_000
/** One more than there are processors, because some only wait. */
const atOnce = availableParallelism() + 1
/** A test that takes longer hangs, and fails under its name; so does a process. */
const longestMs = {
  short: { test: 120_000, process: 900_000 },
  long: { test: 900_000, process: 1_800_000 },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    complete: { type: 'boolean', default: false },
    assertions: { type: 'boolean', default: false },
  },
})

interface Group {
  files: string[]
  /** How long it takes, about: what takes long begins first. */
  weight: number
}

/** What came of one process. */
interface Outcome {
  reported: Reported[]
  /** What its tests printed. */
  printed: string
  /** Why it ended, other than by its tests; null where nothing was wrong. */
  broken: string | null
}

function wanted(file: string): boolean {
  const isLong = file.startsWith('test/long/')
  const below = file.slice('test/'.length)
  const path = isLong ? below.slice('long/'.length) : below
  return (
    isLong === values.long && (positionals.length === 0 || positionals.some((each) => path.startsWith(each)))
  )
}

/** Of a file that reads the pages of the handbook with all their commands. */
const heaviest = 1_000_000

/** A file with many tests takes long, and so does one that starts programs and waits for them. */
function weightOf(file: string): number {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.includes('readPagesFor(')) return heaviest
  return text.length * (/child_process|\brun\(/.test(text) ? 5 : 1)
}

/** Neighbours share a process up to a weight, the heaviest process first. Tests of minutes have a process each. */
function groups(): Group[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort().filter(wanted)
  const all = files.map((file) => ({ files: [file], weight: weightOf(file) }))
  if (values.long) return all.sort((a, b) => b.weight - a.weight)
  const total = all.reduce((sum, { weight }) => sum + Math.min(weight, mostWeight), 0)
  // Of a single module, too, every processor has something to do to the end.
  const most = Math.min(mostWeight, total / (2 * atOnce))
  const together: Group[] = []
  for (const { files, weight } of all) {
    const last = together.at(-1)
    if (last && last.weight + weight <= most) {
      last.files.push(...files)
      last.weight += weight
    } else together.push({ files, weight })
  }
  return together.sort((a, b) => b.weight - a.weight)
}

function runGroup({ files }: Group, folder: string, number: number): Promise<Outcome> {
  const report = join(folder, `report-${number}`)
  const longest = values.long ? longestMs.long : longestMs.short
  const reporting = ['--test-reporter=./test/reporter.ts', `--test-reporter-destination=${report}`]
  const counting = values.assertions ? ['--import=./test/count-assertions.ts'] : []
  const environment = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'nightporter-compile-cache'),
    TMPDIR: folder,
    ...(!values.long && { TEST_PROGRAM: programIn(folder) }),
    ...(values.assertions && { ASSERTIONS_FILE: join(folder, 'assertions') }),
  }
  const limit = `--test-timeout=${longest.test}`
  const child = spawn(process.execPath, [limit, ...reporting, ...counting, 'test/group.ts', ...files], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  let isHanging = false
  const hanging = setTimeout(() => {
    isHanging = true
    child.kill('SIGKILL')
  }, longest.process)
  return new Promise((resolve) => {
    // Not `close`: a process that a failed test has left behind may hold what we read from.
    child.on('exit', (code, signal) => {
      clearTimeout(hanging)
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      const reported = readReport(report)
      const isFailed = reported.some(({ outcome }) => outcome === 'failed')
      const ended = files.filter((file) => reported.some(({ path }) => path.length === 1 && path[0] === file))
      const broken = isHanging
        ? `took longer than ${longest.process / 1_000} s`
        : signal
          ? `was ended by ${signal}`
          : code !== 0 && !isFailed
            ? `ended with exit code ${code}`
            : ended.length < files.length
              ? `ended before ${files.find((file) => !ended.includes(file))}`
              : null
      resolve({ reported, printed, broken })
    })
  })
}

function programIn(folder: string): string {
  return join(folder, 'program', 'nightporter.js')
}

function readReport(path: string): Reported[] {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Reported)
}

const totals = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
let leftOut = 0
const slowest: { file: string; ms: number }[] = []
const failures: string[] = []

function count(group: Group, { reported, printed, broken }: Outcome): void {
  for (const { path, kind, outcome, ms, text } of reported) {
    if (kind === 'diagnostic') {
      console.log(`ℹ ${text}`)
      continue
    }
    const name = path.join(' > ')
    if (path.length === 1 && kind === 'suite') slowest.push({ file: name, ms })
    else if (kind === 'suite') totals.suites++
    if (kind === 'suite' && outcome !== 'skipped') {
      // A suite fails with its tests, or by what comes before and after them.
      if (outcome === 'failed' && !/subtests? failed/.test(text)) failures.push(`${name}\n${text}`)
      continue
    }
    totals.tests++
    totals[outcome === 'passed' ? 'pass' : outcome === 'failed' ? 'fail' : 'skipped']++
    if (outcome === 'failed') failures.push(`${name}\n${text}`)
    const applies = !text.startsWith('does not apply:')
    if (outcome === 'skipped' && applies) leftOut++
    if (outcome === 'skipped' && (applies || values.verbose)) console.log(`ℹ ${text || 'skipped'}: ${name}`)
    else if (values.verbose) console.log(`${outcome === 'passed' ? '✔' : '✖'} ${name} (${ms.toFixed(1)} ms)`)
  }
  if (broken) failures.push(`${group.files.join(' ')}: the process ${broken}\n${printed.slice(-4_000)}`)
  else if (printed.trim() !== '' && (values.verbose || reported.some(({ outcome }) => outcome === 'failed')))
    console.log(printed)
}

async function main(): Promise<number> {
  const started = performance.now()
  const waiting = groups()
  if (waiting.length === 0) {
    console.error(`There is no test at ${positionals.map((each) => `test/${each}`).join(', ') || 'test'}.`)
    return 1
  }
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'nightporter-test-'))
  let number = 0
  const worker = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      const began = performance.now()
      const outcome = await runGroup(group, folder, number++)
      count(group, outcome)
      const isFine = !outcome.broken && !outcome.reported.some((each) => each.outcome === 'failed')
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      const what =
        group.files.length === 1 ? group.files[0] : `${dirname(group.files[0]!)}, ${group.files.length} files`
      console.log(`${isFine ? '✔' : '✖'} ${what} (${seconds} s)`)
    }
  }
  let assertions = 0
  try {
    if (!values.long) {
      // Its packages are found above it.
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      await bundle(dirname(programIn(folder)), new Date(releasedOn))
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    if (values.assertions) assertions = sumOf(join(folder, 'assertions'))
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const failure of failures) console.log(`\n✖ ${failure}`)
  slowest.sort((a, b) => b.ms - a.ms)
  console.log('\nThe slowest files:')
  for (const { file, ms } of slowest.slice(0, 20))
    console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`)
  const counted = values.assertions ? { assertions } : {}
  const summary = { ...totals, ...counted, duration_ms: Math.round(performance.now() - started) }
  for (const [name, value] of Object.entries(summary)) console.log(`ℹ ${name} ${value}`)
  if (leftOut > 0) console.log(`${leftOut} tests were left out: see above for what they lack.`)
  return failures.length > 0 || (values.complete && leftOut > 0) ? 1 : 0
}

function sumOf(path: string): number {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n')
  return lines.reduce((sum, line) => sum + Number(line), 0)
}

const enoughBytes = 2 ** 31

/** A folder in memory; null where the machine has none that is large enough, or none from which programs may be run. */
function inMemory(): string | null {
  const folder = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(folder)
    accessSync(folder, constants.W_OK)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.findLast((line) => line.split(' ')[1] === folder)?.split(' ')[3] ?? ''
    return bavail * bsize >= enoughBytes && !options.split(',').includes('noexec') ? folder : null
  } catch {
    return null
  }
}

process.exitCode = await main()
