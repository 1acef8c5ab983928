import type { Duplex } from 'node:stream'
import { type HostEnd, hostEnd } from '../../src/devices/driving/host-end.ts'
import {
  type Attempt,
  type FailedAttempt,
  type ReaderCommand,
  readerLink,
} from '../../src/devices/driving/reader-link.ts'
import type { Clock } from '../../src/host/clock.ts'
import { decode, encode, receiver } from './framing.ts'
import { commands, errors, quietMs, yes } from './protocol.ts'

const tries = 3
/** The most lines that can follow a question before the line counts as out of step. */
const outstanding = 32

/** The mode that the firmware was built for. */
interface Mode {
  crc: boolean
  binary: boolean
}

export type Twn4Link = ReturnType<typeof link>

/** The line to a reader. */
interface Twn4Line extends HostEnd<{ line: string }> {
  wire: Duplex
  mode: Mode
  /** Multiplies every deadline. */
  patience: number
  /** True when the next line can only be the answer to the next command. */
  inStep: boolean
  /** Drops a line that has not arrived completely. */
  forget(): void
}

/** Sends one command at a time to the reader, which never sends on its own. `patience` multiplies every deadline. */
export function link(wire: Duplex, patience: number, clock: Clock, mode: Mode) {
  const { lines, forget } = receiver(wire, mode.binary)
  const line: Twn4Line = { ...hostEnd(wire, clock), wire, mode, patience, inStep: true, forget }
  const close = () => {
    line.received.end()
    wire.destroy()
  }
  lines.on('data', (text: string) => line.received.put({ line: text }))
  lines.on('end', close)

  const sender = readerLink(commands, {
    ready: ({ withinMs }) => ready(line, withinMs),
    isGone: () => line.received.ended,
    attempt: (row, parameters) => attempt(line, row, parameters),
  })
  return { ...sender, close }
}

async function attempt(line: Twn4Line, row: ReaderCommand, parameters: readonly number[]): Promise<Attempt> {
  const { withinMs, read } = row
  write(line, row, parameters)
  const received = await next(line, withinMs)
  const answer = received === null ? null : decode(received, line.mode.crc)
  const result = answer?.[0] === 0 ? read(answer.subarray(1)) : undefined
  if (result !== undefined) return { result, isExecuted: true, again: 'never' }
  line.inStep = false
  if (received !== null) return failureOf(row, answer, received)
  const detail = line.received.ended ? 'the wire closed' : `no answer in ${withinMs} ms`
  return { code: null, detail, again: 'never' }
}

/**
 * Why an answer is no result. A write with an unreadable answer may have been executed. So may a write with the answer
 * 01: this is also the rest of 0001, the answer to an executed write, if its beginning was lost on the line.
 */
function failureOf({ writes }: ReaderCommand, answer: Buffer | null, received: string): FailedAttempt {
  const isConclusive = answer?.length === 1 && !(writes && answer[0] === yes)
  const refusal = isConclusive ? errors.get(answer[0]!) : undefined
  // The received bytes are not part of the fault: a line with an echo repeats the command, with the key of a sector.
  if (!refusal) return { code: null, detail: 'the answer is unreadable', again: 'unlessWrite' }
  const { fault, text, again } = refusal
  return { code: fault, detail: text, vendorCode: received, again: again ? 'always' : 'never' }
}

/** True once the reader accepts bytes and no answer is outstanding: the next line can then only be the next answer. */
async function ready(line: Twn4Line, withinMs: number): Promise<boolean> {
  const { wire, received, written, patience } = line
  // No command is queued behind bytes that the reader has not accepted: they would all be executed later.
  if (wire.writableLength > 0) await written(withinMs * patience)
  if (received.ended || wire.writableLength > 0) return false
  if (!received.isEmpty) line.inStep = false
  return line.inStep || resynchronise(line)
}

/**
 * Asks for the USB type until only this question is answered. A late answer of one byte looks the same. But the reader
 * answers in order, so the late answer comes first and the true one follows at once. Therefore only an answer that
 * silence follows is accepted.
 */
async function resynchronise(line: Twn4Line): Promise<boolean> {
  const { withinMs, read } = commands.usbType
  for (let left = tries; left > 0 && !line.received.ended; left--) {
    line.received.empty()
    line.forget()
    write(line, commands.usbType, [])
    let last = await next(line, withinMs)
    for (let spare = outstanding; last !== null && spare > 0; spare--) {
      const answer = decode(last, line.mode.crc)
      last = await next(line, quietMs)
      const isLast = last === null && !line.received.ended
      if (isLast && answer?.[0] === 0 && read(answer.subarray(1))) {
        line.inStep = true
        return true
      }
    }
    if (line.wire.writableLength > 0) return false
  }
  return false
}

function write({ write, mode }: Twn4Line, { code }: ReaderCommand, parameters: readonly number[]): void {
  write(encode([code >>> 8, code & 0xff, ...parameters], mode.crc, mode.binary))
}

/** The next line; null when none arrives in time, or none will ever arrive. */
async function next({ received, patience }: Twn4Line, withinMs: number): Promise<string | null> {
  const item = await received.next(withinMs * patience)
  return typeof item === 'object' ? item.line : null
}
