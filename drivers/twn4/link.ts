import type { Duplex } from 'node:stream'
import { type HostEnd, hostEnd } from '../../src/devices/driving/host-end.ts'
import { type Attempt, commandSender, type FailedAttempt } from '../../src/devices/driving/reader-link.ts'
import type { Clock } from '../../src/host/clock.ts'
import { decode, encode, receiver } from './framing.ts'
import { commands, errors, quietMs, type Twn4CommandName, type Twn4Result } from './protocol.ts'

const tries = 3
/** The most lines that can follow a question before the line counts as out of step. */
const outstanding = 32

/** The mode that the firmware was built for. */
interface Mode {
  crc: boolean
  binary: boolean
}

export interface Twn4Link {
  /**
   * Sends one command and resolves with its result. Do not call it again before it has settled. Rejects with a
   * DeviceFault; `encoder-timeout-writing` once a write was sent and its answer is missing or unreadable.
   */
  ask<Name extends Twn4CommandName>(name: Name, ...parameters: number[]): Promise<Twn4Result<Name>>
  /** The number of writing commands that were sent. */
  writesSent(): number
  close(): void
}

/** The line to a reader. */
interface ReaderLine extends HostEnd<{ line: string }> {
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
export function link(wire: Duplex, patience: number, clock: Clock, mode: Mode): Twn4Link {
  const { lines, forget } = receiver(wire, mode.binary)
  const line: ReaderLine = { ...hostEnd(wire, clock), wire, mode, patience, inStep: true, forget }
  const { send, writesSent } = commandSender()
  const close = () => {
    line.received.end()
    wire.destroy()
  }
  lines.on('data', (text: string) => line.received.put({ line: text }))
  lines.on('end', close)

  return {
    ask: (name, ...parameters) =>
      send(
        { ready: () => ready(line, commands[name].withinMs), isGone: () => line.received.ended },
        { name, isWrite: commands[name].writes, attempt: () => attempt(line, name, parameters) },
      ),
    writesSent,
    close,
  }
}

async function attempt<Name extends Twn4CommandName>(
  line: ReaderLine,
  name: Name,
  parameters: number[],
): Promise<Attempt<Twn4Result<Name>>> {
  const { withinMs, read } = commands[name]
  write(line, name, parameters)
  const received = await next(line, withinMs)
  const answer = received === null ? null : decode(received, line.mode.crc)
  const result = answer?.[0] === 0 ? read(answer.subarray(1)) : undefined
  if (result !== undefined) return { result: result as Twn4Result<Name>, isExecuted: true, again: 'never' }
  line.inStep = false
  if (received !== null) return failureOf(answer, received)
  const detail = line.received.ended ? 'the wire closed' : `no answer in ${withinMs} ms`
  return { code: null, detail, again: 'never' }
}

/** Why an answer is no result. A write with an unreadable answer may have been executed. */
function failureOf(answer: Buffer | null, received: string): FailedAttempt {
  const refusal = answer?.length === 1 ? errors.get(answer[0]!) : undefined
  // The received bytes are not part of the fault: a line with an echo repeats the command, with the key of a sector.
  if (!refusal) return { code: null, detail: 'the answer is unreadable', again: 'unlessWrite' }
  const { fault, text, again } = refusal
  return { code: fault, detail: text, vendorCode: received, again: again ? 'always' : 'never' }
}

/** True once the reader accepts bytes and no answer is outstanding: the next line can then only be the next answer. */
async function ready(line: ReaderLine, withinMs: number): Promise<boolean> {
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
async function resynchronise(line: ReaderLine): Promise<boolean> {
  const { withinMs, read } = commands.usbType
  for (let left = tries; left > 0 && !line.received.ended; left--) {
    line.received.empty()
    line.forget()
    write(line, 'usbType', [])
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

function write({ write, mode }: ReaderLine, name: Twn4CommandName, parameters: number[]): void {
  const { code } = commands[name]
  write(encode([code >>> 8, code & 0xff, ...parameters], mode.crc, mode.binary))
}

/** The next line; null when none arrives in time, or none will ever arrive. */
async function next({ received, patience }: ReaderLine, withinMs: number): Promise<string | null> {
  const item = await received.next(withinMs * patience)
  return typeof item === 'object' ? item.line : null
}
