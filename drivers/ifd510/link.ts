import type { Duplex } from 'node:stream'
import type { Timing } from '../../src/devices/driver.ts'
import {
  type Attempt,
  type FailedAttempt,
  type ReaderCommand,
  readerLink,
} from '../../src/devices/driving/reader-link.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { type ReportAnswer, type ReportLine, reportLine } from '../../src/devices/hid/hid-reports.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import { carried, encode, ends, type Packet, report, reportIds, reportLength } from './framing.ts'
import {
  commands,
  isRefused,
  pollMs,
  type RefusedCommand,
  reasons,
  status,
  transferMs,
  unknownCommand,
} from './protocol.ts'

const tries = 3

/**
 * The commands of the reader. A write that was refused because of a missing card or a wrong key was not executed, and is
 * not counted.
 */
export type Ifd510Link = ReturnType<typeof link>

/** The line to a reader. */
interface Ifd510Line extends Timing {
  reports: ReportLine
  /** True when the next answer can only be that of the next command. */
  inStep: boolean
}

/** The outcome of a command: a packet, an unreadable answer, a failed USB transfer, or no answer in time. */
type Received = Packet | 'unreadable' | 'failed' | 'late' | 'gone'

/** Sends one command at a time to the reader, which never sends on its own. `patience` scales every deadline. */
export function link(wire: Duplex, patience: number, clock: Clock) {
  const reports = reportLine(wire, clock)
  const line: Ifd510Line = { reports, clock, patience, inStep: true }
  const sender = readerLink<typeof commands, RefusedCommand>(commands, {
    ready: () => ready(line),
    isGone: () => reports.gone,
    attempt: (row, data, name) => attempt(line, row, data, name),
  })
  return { ...sender, close: reports.close }
}

async function attempt(
  line: Ifd510Line,
  row: ReaderCommand,
  data: readonly number[],
  name: string,
): Promise<Attempt> {
  const received = await exchange(line, row, data)
  const result = typeof received === 'object' ? resultOf(row, received, name) : undefined
  line.inStep = result !== undefined
  // The reader may have executed the command before USB failed: the caller of a write reads the card back.
  if (received === 'failed' && row.writes)
    return { result: { refused: 'unclear', vendorCode: 'USB' }, isExecuted: true, again: 'never' }
  if (result === undefined) return failureOf(received)
  const refused = isRefused(result) ? result.refused : null
  const isExecuted = refused !== 'no-card' && refused !== 'wrong-key'
  return { result, isExecuted, again: refused === 'unclear' ? 'unlessWrite' : 'never' }
}

/** The received bytes are not part of the failure: a line with an echo repeats the command, with the key of a sector. */
function failureOf(received: Received): FailedAttempt {
  const again = received === 'late' || received === 'gone' ? 'never' : 'unlessWrite'
  return { code: null, detail: silences[typeof received === 'object' ? 'unreadable' : received], again }
}

/** Sends the command as one report, and polls the answer report until it holds an answer that `fits`. */
async function exchange(
  { reports, clock, patience }: Ifd510Line,
  { code, withinMs }: ReaderCommand,
  data: readonly number[],
  fits: (packet: Packet | null) => boolean = () => true,
): Promise<Received> {
  const { left } = deadline(clock, withinMs * patience)
  const transfer = () => Math.min(transferMs * Math.max(1, patience), Math.max(0, left()))
  const sent = await reports.set(report(encode(ends.host, code, data)), transfer())
  if (typeof sent === 'string' || 'failed' in sent) return lost(sent)
  while (left() > 0) {
    const answer = await reports.get(reportIds.answer, reportLength, transfer())
    if (typeof answer === 'string' || 'failed' in answer) return lost(answer)
    const { empty, packet } = carried(answer.value)
    // The answer is not read again after this: the reader would return the same answer once more.
    if (!empty && fits(packet)) return packet ?? 'unreadable'
    await clock.sleep(Math.max(0, Math.min(pollMs * patience, left())))
  }
  return reports.gone ? 'gone' : 'late'
}

/**
 * True once the next answer can only be that of the next command. The reader works in order and holds one answer: once
 * it holds the answer to a question sent now, no earlier answer can follow. The question is the serial number, because
 * no other answer in use has its length.
 */
async function ready(line: Ifd510Line): Promise<boolean> {
  for (let left = tries; !line.inStep && left > 0 && !line.reports.gone; left--) {
    line.inStep = typeof (await exchange(line, commands.readerSerial, [], isSerial)) === 'object'
  }
  return line.inStep && !line.reports.gone
}

function isSerial(packet: Packet | null): boolean {
  if (packet?.code === status.done) return commands.readerSerial.read(packet.data) !== undefined
  // A model without a serial number answers with a refusal, which serves as well.
  return packet?.code === status.failed && packet.data[0] === unknownCommand
}

const silences: Record<Exclude<Received, Packet>, string> = {
  unreadable: 'the answer is unreadable',
  failed: 'the USB transfer failed',
  late: 'no answer in time',
  gone: 'the device is gone',
}

function lost(answer: Exclude<ReportAnswer<unknown>, { value: unknown }>): 'failed' | 'late' | 'gone' {
  return typeof answer === 'string' ? answer : 'failed'
}

/**
 * Undefined for data that cannot be the command's answer; throws the DeviceFault of a command that the reader cannot
 * execute at all.
 */
function resultOf({ read }: ReaderCommand, { code, data }: Packet, name: string): unknown {
  if (code === status.done) return read(Buffer.from(data))
  const [reason = 0] = data
  if (code !== status.failed || data.length !== 1) return undefined
  const known = reasons.get(reason)
  const vendorCode = reason.toString(16).toUpperCase().padStart(2, '0')
  if (!known) throw new DeviceFault('vendor-error', `${name}: refused`, { vendorCode })
  if ('refused' in known) return { refused: known.refused, vendorCode } satisfies RefusedCommand
  throw new DeviceFault(known.fault, `${name}: ${known.text}`, { vendorCode })
}
