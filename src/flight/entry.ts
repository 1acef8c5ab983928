import type { FaultCode } from '../devices/fault.ts'
import type { Direction } from '../devices/mask.ts'

/**
 * One thing that happened, as it stands on a line of a segment. `n` counts everything, and never goes back; `line` is the `n`
 * with which a wire was opened, and `k` counts what happened on it, so that what is missing shows. `at` is Unix
 * milliseconds by the clock, `ms` milliseconds that no setting of the clock touches, of one run of the appliance.
 */
interface Common {
  n: number
  line: number
  k: number
  at: number
  ms: number
  /** The X-Request-Id on whose behalf it happened. */
  request?: string
  /** So many looks at the device were left out before it, each like the one before. */
  omitted?: number
}

/** The same before it has its place on a line. */
export type Mark = Omit<Common, 'line' | 'k'>

/** What is at the end of a wire, and how it was opened. */
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
  /** The line of the wire that it shares with another device; what passes there is told of with that line. */
  joins?: number
}

/** How a call ended. Bytes are `{hex}`. */
export type Outcome =
  | { value: Plain }
  | { fault: { code: FaultCode | 'internal'; outcomeUnknown: boolean; vendorCode?: string; text: string } }

export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain }

export type Happening =
  | ({ kind: 'open'; isMasked: boolean } & LineAbout)
  /** A chunk on the wire. Without a mask of the driver only its size is kept. */
  | { kind: Direction; hex: string }
  | { kind: Direction; size: number }
  /** What was said where there is no wire. */
  | { kind: 'text'; direction: Direction; text: string }
  /** A capability of the device was asked for something. */
  | { kind: 'call'; method: string; args: Plain[] }
  | ({ kind: 'outcome'; call: number } & Outcome)
  | { kind: 'close' }
  /** The bay of a device came online, lost it, or failed to start it. Of no line: 0. */
  | { kind: 'bay'; bay: string; what: string; text: string | null }

export type Entry = Common & Happening

/** A file that is no recording; the message says which line of it. */
export class BrokenRecording extends Error {}

/**
 * The entries of a recording in order, each once: a segment repeats how the wires began that are open in it. The end of a
 * text may be torn off. Throws BrokenRecording.
 */
export function readEntries(text: string): Entry[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  const entries = new Map<number, Entry>()
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

function entryIn(line: string): Entry | null {
  try {
    const entry = JSON.parse(line) as Partial<Entry> | null
    const counted = [entry?.n, entry?.line, entry?.k, entry?.at, entry?.ms]
    const isEntry = counted.every((each) => Number.isFinite(each)) && kinds.includes(String(entry?.kind))
    return isEntry && isWhole(entry as Entry) ? (entry as Entry) : null
  } catch {
    return null
  }
}

function isWhole(entry: Entry): boolean {
  if (entry.kind === 'in' || entry.kind === 'out')
    return 'hex' in entry ? /^([0-9a-f]{2})*$/.test(entry.hex) : Number.isInteger(entry.size)
  if (entry.kind === 'call') return typeof entry.method === 'string' && Array.isArray(entry.args)
  if (entry.kind === 'outcome') return Number.isInteger(entry.call) && ('value' in entry || 'fault' in entry)
  if (entry.kind === 'open')
    return [entry.bay, entry.driver, entry.model].every((each) => typeof each === 'string')
  return true
}
