import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * `gate`: what decides about a landing. Its result follows from the code alone: time is virtual, the random numbers are the same
 * each time; only `walks` talk to other programs. `real`: what takes the machine's time, or talks to a process of its own, in files named `*.real.test.ts`. `long`:
 * what takes minutes, in `test/long`.
 */
export type Tier = 'gate' | 'real' | 'long'

/** Files of tests that share a process, because loading the program takes longer than most tests. */
export interface Group {
  files: readonly string[]
  /** How long they take, about: what takes long begins first. */
  weight: number
}

export const root = join(import.meta.dirname, '../..')

/** So many processes run at once, as many as the smallest machine has processors. */
export const atOnce = 2

const longFolder = 'test/long/'

/** The tier of a file, a path from the root of the project such as `test/store/lock.real.test.ts`. */
export function tierOf(file: string): Tier {
  if (file.startsWith(longFolder)) return 'long'
  return file.endsWith('.real.test.ts') ? 'real' : 'gate'
}

const commands: Record<Tier, string> = {
  gate: 'npm test',
  real: 'npm run test:real',
  long: 'npm run test:long',
}

/** The command that runs a file alone. */
export function commandFor(file: string): string {
  return `${commands[tierOf(file)]} -- ${moduleOf(file)}`
}

/** What a person names a file by: its path below `test`, or below `test/long`. */
function moduleOf(file: string): string {
  return file.slice((file.startsWith(longFolder) ? longFolder : 'test/').length)
}

/** The files of a tier, all of them or those whose module begins with one of these. */
export function filesOf(tier: Tier, modules: readonly string[]): string[] {
  const isWanted = (file: string) =>
    tierOf(file) === tier && (modules.length === 0 || modules.some((each) => moduleOf(file).startsWith(each)))
  return globSync('test/**/*.test.ts', { cwd: root }).sort().filter(isWanted)
}

/** Whether a file awaits something at its top level, so that its tests are declared later than it is loaded. */
export function awaitsWhileLoading(file: string): boolean {
  return /^(?:(?:export )?(?:const|let) .*= )?await /m.test(readFileSync(resolve(root, file), 'utf8'))
}

/** The files that share a process weigh so much at most, see `weightOf`. */
const mostWeight = 150_000
/** Of a file that reads the pages of the handbook with all their commands. */
const heaviest = 1_000_000

/** Files that take far longer than their text says. */
const slow: readonly string[] = ['test/access/two-encoders.test.ts', 'test/status/every-work.test.ts']

/** A file with many tests takes long, and so does one that starts programs or a browser and waits for them. */
function weightOf(file: string): number {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.includes('readPagesFor(')) return heaviest
  if (slow.includes(file)) return mostWeight
  return text.length * (/child_process|\brun\(|browserForSuite\(/.test(text) ? 5 : 1)
}

/**
 * Files of the gate that start the program, a browser or a broker as a user does. They run when all others have ended, one after the
 * other, so that no other test keeps the processor from them.
 */
export const walks: readonly string[] = [
  'test/cli/serve.test.ts',
  'test/console/desk-walk.test.ts',
  'test/console/kiosk-walk.test.ts',
  'test/console/setup-walk.test.ts',
  'test/drivers/industry-standard/simulate-walk.test.ts',
  'test/handbook/newcomers/pages.test.ts',
  'test/pms/adapters/cloudevents/mqtt/mosquitto-walk.test.ts',
]

const isAlone = ({ files }: Pick<Group, 'files'>) => files.some(awaitsWhileLoading)

/**
 * Neighbours share a process up to a weight, the heaviest process first. Tests of the machine's time have a process each, since
 * one that keeps the processor busy is a deadline missed in the other; so has a file that awaits something while it loads.
 */
export function groupsOf(tier: Tier, files: readonly string[]): Group[] {
  const all = files.map((file) => ({ files: [file], weight: weightOf(file) }))
  if (tier !== 'gate') return all.sort((a, b) => b.weight - a.weight)
  const total = all.reduce((sum, { weight }) => sum + Math.min(weight, mostWeight), 0)
  // Of a single module, too, every processor has something to do to the end.
  const most = Math.min(mostWeight, total / (2 * atOnce))
  const together: { files: string[]; weight: number }[] = []
  for (const { files, weight } of all) {
    const last = together.at(-1)
    if (last && last.weight + weight <= most && ![last, { files }].some(isAlone)) {
      last.files.push(...files)
      last.weight += weight
    } else together.push({ files, weight })
  }
  return together.sort((a, b) => b.weight - a.weight)
}

/** What a second try would hide: an answer that was lost, a key that opens or does not, a process that does not come back. */
const neverAgain =
  /^test\/(access|store|backup|terminal|cli)\/|^test\/drivers\/(fias|hkr1|industry-standard|ttlock)\/|keys?\b|door|guest|restart|data-folder/

/** Whether a file that has failed may run once more, so that a stall of the machine is told from a defect. */
export const mayRunAgain = (file: string): boolean => tierOf(file) === 'gate' && !neverAgain.test(file)
