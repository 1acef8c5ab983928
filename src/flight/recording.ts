import type { Duplex } from 'node:stream'
import { askedBy } from '../devices/on-behalf.ts'
import type { Clock } from '../host/clock.ts'
import type { Happening, LineAbout, Mark } from './entry.ts'
import type { Later } from './later.ts'

/** How a line began is repeated in each segment, up to so many bytes. */
const longestHead = 16_384

/** What an entry without bytes holds until it is put in words, about. */
export const smallEntry = 256

/** What passes now, and where it is kept. */
export interface Recording {
  readonly clock: Clock
  /** The number of the newest entry or segment. */
  n: number
  readonly lines: Set<OpenLine>
  /** The lines of wires that have branches. */
  readonly trunks: WeakMap<Duplex, OpenLine>
  readonly later: Later
  append(text: string): void
}

/** A wire that is open, or one side of what is said without a wire. */
export interface OpenLine {
  readonly number: number
  readonly isMasked: boolean
  /** How many entries it has. */
  k: number
  /** On whose behalf the device is at work, for what it says in between. */
  request: string | undefined
  readonly head: string[]
  headBytes: number
  /** So much of the head ends with a call that has ended. */
  wholeHead: number
  /** Keeps what the mask still holds back. */
  settle(): void
}

/** When something happens, and for whom. */
export function stamp(recording: Recording): Mark {
  const { clock } = recording
  const request = askedBy()
  const ms = Math.round(clock.monotonic() * 1_000) / 1_000
  return { n: ++recording.n, at: clock.now(), ms, ...(request !== undefined && { request }) }
}

/** The same of a line, whose device may be at work for somebody. */
export function markOf(recording: Recording, { request }: OpenLine): Mark {
  return { ...(request !== undefined && { request }), ...stamp(recording) }
}

/** Begins a line with the entry that says what it is. */
export function beginLine(recording: Recording, about: LineAbout, isMasked: boolean): OpenLine {
  const first = stamp(recording)
  const line: OpenLine = {
    number: first.n,
    isMasked,
    k: 0,
    request: undefined,
    head: [],
    headBytes: 0,
    wholeHead: 0,
    settle: () => {},
  }
  recording.later.put(smallEntry, () => write(recording, line, first, { kind: 'open', isMasked, ...about }))
  return line
}

/** Puts an entry of a line in words. */
export function write(recording: Recording, line: OpenLine, mark: Mark, happening: Happening): void {
  const entry = { ...mark, line: line.number, k: line.k++, ...happening }
  const text = `${JSON.stringify(entry)}\n`
  recording.append(text)
  line.headBytes += text.length
  if (line.headBytes > longestHead) return
  line.head.push(text)
  if (entry.kind === 'open' || entry.kind === 'outcome') line.wholeHead = line.head.length
}

/** What a new segment begins with: how the lines that are open began. */
export function heads({ lines }: Recording): string[] {
  return [...lines].flatMap(({ head, wholeHead }) => head.slice(0, wholeHead))
}

/** Puts everything in words that has happened. */
export function catchUp({ later, lines }: Recording): void {
  later.catchUp()
  for (const { settle } of lines) settle()
}
