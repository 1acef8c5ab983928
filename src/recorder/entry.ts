import type { FaultCode } from '../devices/fault.ts'
import type { Direction } from '../devices/mask.ts'

/**
 * One recorded event, one line of a segment. `n` numbers all entries and never goes back. `line` is the `n`
 * with which the wire was opened. `k` numbers the entries of one wire, so that a gap is visible. `at` is Unix
 * milliseconds by the appliance's clock. `ms` is monotonic milliseconds of one run of the appliance.
 */
interface Common {
  n: number
  line: number
  k: number
  at: number
  ms: number
  /** The X-Request-Id of the request that caused it. */
  request?: string
  /**
   * The number of status calls that were left out before this entry, because each was like the previous one.
   */
  omitted?: number
}

/** The same, before `line` and `k` are assigned. */
export type Mark = Omit<Common, 'line' | 'k'>

/** The device at the end of a wire, and how the wire was opened. */
export interface LineAbout {
  /** The name of the dispenser, the encoder or the lock system. */
  bay: string
  capability: 'dispenser' | 'encoder' | 'lock-system'
  driver: string
  model: string
  path: string
  baudRate?: number
  patience?: number
  options?: Record<string, unknown>
  /** The line of the wire that it shares with another device; the chunks are recorded under that line. */
  joins?: number
}

/** How a call ended. Bytes are `{hex}`. */
export type CallOutcome =
  | { value: Plain }
  | { fault: { code: FaultCode | 'internal'; outcomeUnknown: boolean; vendorCode?: string; text: string } }

export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain }

export type Happening =
  | ({ kind: 'open'; isMasked: boolean } & LineAbout)
  /** A chunk on the wire. Without a mask of the driver only its size is recorded. */
  | { kind: Direction; hex: string }
  | { kind: Direction; size: number }
  /** A message of a device that has no wire. */
  | { kind: 'text'; direction: Direction; text: string }
  /** A call of a capability of the device. */
  | { kind: 'call'; method: string; args: Plain[] }
  | ({ kind: 'outcome'; call: number } & CallOutcome)
  | { kind: 'close' }
  /** A device came online, was lost, or failed to start. Its line is 0. */
  | { kind: 'bay'; bay: string; what: string; text: string | null }

export type RecordingEntry = Common & Happening

/** The file is not a recording; the message names the invalid line. */
export class BrokenRecording extends Error {}

/**
 * Returns the entries of a recording in order, each once: a segment repeats the opening entries of the wires
 * that are open in it. The last line may be incomplete. Throws BrokenRecording.
 */
export function readEntries(text: string): RecordingEntry[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  const entries = new Map<number, RecordingEntry>()
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const entry = entryIn(line)
    if (!entry) throw new BrokenRecording(`line ${index + 1} is no entry of a recording`)
    entries.set(entry.n, entry)
  }
  const rest = last === '' ? null : entryIn(last)
  if (rest) entries.set(rest.n, rest)
  return [...entries.values()].sort((one, other) => one.n - other.n)
}

const kinds = ['open', 'out', 'in', 'text', 'call', 'outcome', 'close', 'bay']

function entryIn(line: string): RecordingEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<RecordingEntry> | null
    const counted = [entry?.n, entry?.line, entry?.k, entry?.at, entry?.ms]
    const isEntry = counted.every((each) => Number.isFinite(each)) && kinds.includes(String(entry?.kind))
    return isEntry && isWhole(entry as RecordingEntry) ? (entry as RecordingEntry) : null
  } catch {
    return null
  }
}

function isWhole(entry: RecordingEntry): boolean {
  if (entry.kind === 'in' || entry.kind === 'out')
    return 'hex' in entry ? /^([0-9a-f]{2})*$/.test(entry.hex) : Number.isInteger(entry.size)
  if (entry.kind === 'call') return typeof entry.method === 'string' && Array.isArray(entry.args)
  if (entry.kind === 'outcome') return Number.isInteger(entry.call) && ('value' in entry || 'fault' in entry)
  if (entry.kind === 'open')
    return [entry.bay, entry.driver, entry.model].every((each) => typeof each === 'string')
  return true
}
