import type { Duplex } from 'node:stream'
import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import { type Answer, reportLine } from '../../src/devices/hid/hid-reports.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import { carried, encode, ends, type Packet, report, reportIds, reportLength } from './framing.ts'
import {
  type CommandName,
  commands,
  pollMs,
  type Refused,
  type Result,
  reasons,
  status,
  transferMs,
  unknownCommand,
} from './protocol.ts'

const tries = 3

export interface Link {
  /**
   * Sends one command and resolves with its result, or with the meaning of its refusal. A write that was refused
   * because of a missing card or a wrong key was not executed, and is not counted. Do not call it again before it has
   * settled. Rejects with a DeviceFault; `encoder-timeout-writing` from the moment that a write was sent without a
   * readable answer.
   */
  ask<Name extends CommandName>(name: Name, ...data: number[]): Promise<Result<Name> | Refused>
  /** The number of writing commands that were sent. */
  writesSent(): number
  close(): void
}

/** The outcome of a command: a packet, an unreadable answer, a failed USB transfer, or no answer in time. */
type Heard = Packet | 'unreadable' | 'failed' | 'late' | 'gone'

/** Sends one command at a time to the reader, which never sends on its own. `patience` scales every deadline. */
export function link(wire: Duplex, patience: number, clock: Clock): Link {
  const line = reportLine(wire, clock)
  let inStep = true
  let writes = 0
  return { ask, writesSent: () => writes, close: line.close }

  async function ask<Name extends CommandName>(
    name: Name,
    ...data: number[]
  ): Promise<Result<Name> | Refused> {
    const { writes: isWrite } = commands[name]
    let left = false
    for (let again = true; ; again = false) {
      if (!(await ready())) throw fault('the reader is gone, silent or out of step')
      left = true
      if (isWrite) writes++
      const heard = await exchange(name, data)
      inStep = typeof heard === 'object'
      if (typeof heard === 'object') {
        const result = resultOf(name, heard)
        const refused = result && 'refused' in result ? result.refused : null
        if (isWrite && (refused === 'no-card' || refused === 'wrong-key')) writes--
        if (refused === 'unclear' && again && !isWrite) continue
        if (result !== undefined) return result
        inStep = false
      }
      // The reader may have executed the command before USB failed: the caller of a write reads the card back.
      if (isWrite && heard === 'failed') return { refused: 'unclear', vendorCode: 'USB' }
      if (again && !isWrite && heard !== 'late' && heard !== 'gone') continue
      // The received bytes are not part of the fault: a line with an echo repeats the command, with the key of a
      // sector.
      throw fault(typeof heard === 'object' ? 'the answer is unreadable' : silences[heard])
    }

    function fault(detail: string): DeviceFault {
      const silence: FaultCode = line.gone ? 'encoder-offline' : 'encoder-timeout'
      return new DeviceFault(left && isWrite ? 'encoder-timeout-writing' : silence, `${name}: ${detail}`)
    }
  }

  /** Sends the command as one report, and polls the answer report until it holds an answer that `fits`. */
  async function exchange(
    name: CommandName,
    data: number[],
    fits: (packet: Packet | null) => boolean = () => true,
  ): Promise<Heard> {
    const { code, withinMs } = commands[name]
    const { left } = deadline(clock, withinMs * patience)
    const sent = await line.set(report(encode(ends.host, code, data)), transfer(left()))
    if (typeof sent === 'string' || 'failed' in sent) return lost(sent)
    while (left() > 0) {
      const answer = await line.get(reportIds.answer, reportLength, transfer(left()))
      if (typeof answer === 'string' || 'failed' in answer) return lost(answer)
      const { empty, packet } = carried(answer.given)
      // The answer is not read again after this: the reader would return the same answer once more.
      if (!empty && fits(packet)) return packet ?? 'unreadable'
      await clock.sleep(Math.max(0, Math.min(pollMs * patience, left())))
    }
    return line.gone ? 'gone' : 'late'
  }

  function transfer(leftMs: number): number {
    return Math.min(transferMs * Math.max(1, patience), Math.max(0, leftMs))
  }

  /**
   * True once the next answer can only be that of the next command. The reader works in order and holds one answer:
   * once it holds the answer to a question sent now, no earlier answer can follow. The question is the serial number,
   * because no other answer in use has its length.
   */
  async function ready(): Promise<boolean> {
    for (let left = tries; !inStep && left > 0 && !line.gone; left--) {
      inStep = typeof (await exchange('readerSerial', [], isSerial)) === 'object'
    }
    return inStep && !line.gone
  }
}

function isSerial(packet: Packet | null): boolean {
  if (packet?.code === status.done) return commands.readerSerial.read(packet.data) !== undefined
  // A model without a serial number answers with a refusal, which serves as well.
  return packet?.code === status.failed && packet.data[0] === unknownCommand
}

const silences: Record<Exclude<Heard, Packet>, string> = {
  unreadable: 'the answer is unreadable',
  failed: 'USB failed to carry it',
  late: 'no answer in time',
  gone: 'the device is gone',
}

function lost(answer: Exclude<Answer<unknown>, { given: unknown }>): 'failed' | 'late' | 'gone' {
  return typeof answer === 'string' ? answer : 'failed'
}

/**
 * Undefined for data that cannot be the command's answer; throws the DeviceFault of a command that the reader cannot
 * execute at all.
 */
function resultOf<Name extends CommandName>(
  name: Name,
  { code, data }: Packet,
): Result<Name> | Refused | undefined {
  if (code === status.done) return commands[name].read(data) as Result<Name> | undefined
  const [reason = 0] = data
  if (code !== status.failed || data.length !== 1) return undefined
  const known = reasons.get(reason)
  const vendorCode = reason.toString(16).toUpperCase().padStart(2, '0')
  if (!known) throw new DeviceFault('vendor-error', `${name}: refused`, { vendorCode })
  if ('refused' in known) return { refused: known.refused, vendorCode }
  throw new DeviceFault(known.fault, `${name}: ${known.text}`, { vendorCode })
}
