/**
 * Runs the tests: `node test/run.ts [--real | --long] [--verbose] [--complete] [--assertions] [--name PATTERN]
 * [MODULE...]`. A module is the beginning of a path below `test`, such as `access` or `store/door`. Which tests run when is said in
 * `runner/tiers.ts`.
 *
 *   --real        the tests that take the machine's time, or start processes
 *   --long        the tests of minutes, in `test/long`
 *   --verbose     names every test, and shows what the tests print
 *   --complete    fails where a test was left out; one that does not apply to what it would try is not left out
 *   --assertions  counts the assertions that were made
 *   --name        only the tests whose names, with those of their suites, match this regular expression
 *
 * A file of the gate that fails runs once more, alone and with the same seed. What passes then is printed as FLAKY, and the third
 * such file of a run makes it red; so does each second failure.
 *
 * What runs in threads and processes of its own is the bundle, which loads in a third of the time; the long tests start the
 * program from source. Data folders lie in memory where the machine has a file system for that: no test is about what the disk
 * does with a flush.
 */
import { randomInt } from 'node:crypto'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../image/bundle.ts'
import { releasedOn } from '../src/built-at.ts'
import { fixedSeed } from './runner/fixed-seed.ts'
import { endAll, runGroup, type Surroundings } from './runner/group-process.ts'
import { machineText } from './runner/machine-text.ts'
import { isFine, type Outcome, without } from './runner/outcome.ts'
import { atOnce, filesOf, groupsOf, root, type Tier, walks } from './runner/tiers.ts'
import { causesOf, causeText, type Tally, tallyOf, verdictOf, worthAnotherTry } from './runner/verdict.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    real: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    complete: { type: 'boolean', default: false },
    assertions: { type: 'boolean', default: false },
    name: { type: 'string' },
  },
})
const tier: Tier = values.long ? 'long' : values.real ? 'real' : 'gate'
/** The gate tries the same each time, the long tests something new. */
const seed = process.env.TEST_SEED || String(tier === 'long' ? randomInt(2 ** 31) : fixedSeed)

async function main(): Promise<number> {
  const started = performance.now()
  const files = filesOf(tier, positionals)
  if (files.length === 0) {
    console.error(`There is no test at ${positionals.map((each) => `test/${each}`).join(', ') || 'test'}.`)
    return 1
  }
  console.log(`${machineText()}\n${files.length} files of the tier ${tier}, TEST_SEED=${seed}\n`)
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'nightporter-test-'))
  process.on('exit', () => {
    endAll()
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch (error) {
      console.error(`${folder} cannot be removed: ${error}`)
    }
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const { outcomes, flaky } = await runAll(files, await surroundings(folder))
  const tally = tallyOf(outcomes, values.verbose)
  print(tally, performance.now() - started, values.assertions ? sumOf(join(folder, 'assertions')) : null)
  for (const file of flaky) console.log(`FLAKY ${file}: failed once, and passed alone`)
  for (const cause of causesOf(tally.failures)) console.log(`\n${causeText(cause, seed)}`)
  const verdict = verdictOf(tally, flaky, values.complete)
  console.log(`\nVerdict of the tier ${tier}: ${verdict.text}`)
  return verdict.isRed ? 1 : 0
}

async function surroundings(folder: string): Promise<Surroundings> {
  const program = join(folder, 'program', 'nightporter.js')
  if (tier !== 'long') {
    // Its packages are found above it.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    await bundle(dirname(program), new Date(releasedOn))
  }
  const environment = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'nightporter-compile-cache'),
    TEST_SEED: seed,
    TMPDIR: folder,
    ...(tier !== 'long' && { TEST_PROGRAM: program }),
    ...(values.assertions && { ASSERTIONS_FILE: join(folder, 'assertions') }),
  }
  return { tier, folder, environment, countsAssertions: values.assertions, name: values.name ?? null }
}

/** Runs all files, and those that fail once more where that tells a stall from a defect. */
async function runAll(
  files: readonly string[],
  around: Surroundings,
): Promise<{ outcomes: Outcome[]; flaky: string[] }> {
  const isWalk = (file: string) => walks.includes(file)
  const waiting = groupsOf(
    tier,
    files.filter((file) => !isWalk(file)),
  )
  const outcomes: Outcome[] = []
  let number = 0
  const run = async (own: readonly string[]) => {
    const began = performance.now()
    const outcome = await runGroup(own, number++, around)
    printEnd(outcome, performance.now() - began)
    return outcome
  }
  const worker = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      const outcome = await run(group.files)
      outcomes.push(outcome)
      // Each time there is one file less.
      if (outcome.unreached.length > 0) waiting.push({ files: outcome.unreached, weight: 0 })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  for (const file of files.filter(isWalk)) outcomes.push(await run([file]))
  const again = worthAnotherTry(outcomes)
  const flaky: string[] = []
  const kept = outcomes.map((outcome) => without(outcome, new Set(again)))
  for (const file of again) {
    console.log(`Once more, alone: ${file}`)
    const outcome = await run([file])
    kept.push(outcome)
    if (isFine(outcome)) flaky.push(file)
  }
  return { outcomes: kept, flaky }
}

/** What is known when a process ends; a failure at once, and again at the end of the run. */
function printEnd(outcome: Outcome, ms: number): void {
  const { files, printed } = outcome
  const tally = tallyOf([outcome], values.verbose)
  for (const line of tally.lines) console.log(line)
  for (const cause of causesOf(tally.failures)) console.log(`\n${causeText(cause, seed)}\n`)
  if (printed.trim() !== '' && (values.verbose || !isFine(outcome))) console.log(printed)
  const what = files.length === 1 ? files[0] : `${dirname(files[0]!)}, ${files.length} files`
  console.log(`${isFine(outcome) ? '✔' : '✖'} ${what} (${(ms / 1_000).toFixed(1)} s)`)
}

function print({ slowest, totals }: Tally, ms: number, assertions: number | null): void {
  console.log('\nThe slowest files:')
  for (const { file, ms } of slowest.slice(0, 20))
    console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`)
  const counted = assertions === null ? {} : { assertions }
  const summary = { ...totals, ...counted, duration_ms: Math.round(ms) }
  for (const [name, value] of Object.entries(summary)) console.log(`ℹ ${name} ${value}`)
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

process.exitCode = await main().catch((error: unknown) => {
  console.error(error)
  console.log(`\nVerdict of the tier ${tier}: defect: the run itself has failed`)
  return 1
})
