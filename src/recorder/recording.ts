import type { Duplex } from 'node:stream'
import { requesterOf } from '../devices/on-behalf.ts'
import type { Clock } from '../host/clock.ts'
import type { DeferredWork } from './deferred-work.ts'
import type { Happening, LineAbout, Mark } from './entry.ts'

/** The largest size of a line's opening entries, in bytes. Each segment repeats them. */
const longestHead = 16_384

/** The approximate size of an entry without bytes, until it is serialized. */
export const smallEntry = 256

/** The state of a recording in progress, with the ring that stores it. */
export interface Recording {
  readonly clock: Clock
  /** The number of the newest entry or segment. */
  n: number
  readonly lines: Set<OpenLine>
  /** The lines of wires that have branches. */
  readonly trunks: WeakMap<Duplex, OpenLine>
  readonly later: DeferredWork
  append(text: string): void
}

/** An open wire, or a device whose messages are recorded without a wire. */
export interface OpenLine {
  readonly number: number
  readonly isMasked: boolean
  /** The number of its entries. */
  k: number
  /** The request on whose behalf the device works, for the messages in between. */
  request: string | undefined
  readonly head: string[]
  headBytes: number
  /** The part of the head that ends with a completed call. */
  wholeHead: number
  /** Records what the mask still holds back. */
  settle(): void
}

/** Returns the number, the times and the request of a new entry. */
export function stamp(recording: Recording): Mark {
  const { clock } = recording
  const request = requesterOf()
  const ms = Math.round(clock.monotonic() * 1_000) / 1_000
  return { n: ++recording.n, at: clock.now(), ms, ...(request !== undefined && { request }) }
}

/** Like `stamp`, with the request on whose behalf the line's device works. */
export function markOf(recording: Recording, { request }: OpenLine): Mark {
  return { ...(request !== undefined && { request }), ...stamp(recording) }
}

/** Starts a line with its opening entry. */
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

/** Serializes an entry of a line and queues it for the ring. */
export function write(recording: Recording, line: OpenLine, mark: Mark, happening: Happening): void {
  const entry = { ...mark, line: line.number, k: line.k++, ...happening }
  const text = `${JSON.stringify(entry)}\n`
  recording.append(text)
  line.headBytes += text.length
  if (line.headBytes > longestHead) return
  line.head.push(text)
  if (entry.kind === 'open' || entry.kind === 'outcome') line.wholeHead = line.head.length
}

/** Returns the beginning of a new segment: the opening entries of all open lines. */
export function heads({ lines }: Recording): string[] {
  return [...lines].flatMap(({ head, wholeHead }) => head.slice(0, wholeHead))
}

/** Serializes all entries that wait. */
export function catchUp({ later, lines }: Recording): void {
  later.catchUp()
  for (const { settle } of lines) settle()
}
