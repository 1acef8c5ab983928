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
   * Sends one command and resolves with its result, or with what its refusal means. A write that was refused for want of
   * a card or a key was none, and does not count. Not to be called again before it
   * settled. Rejects with a DeviceFault; `encoder-timeout-writing` from the moment that a write has left without a
   * readable answer.
   */
  ask<Name extends CommandName>(name: Name, ...data: number[]): Promise<Result<Name> | Refused>
  /** How many times a command that writes has left. */
  writesSent(): number
  close(): void
}

/** What came of a command: a packet, something unreadable, a transfer that USB failed at, or nothing in time. */
type Heard = Packet | 'unreadable' | 'failed' | 'late' | 'gone'

/** One question at a time to the reader, which never speaks first. `patience` scales every deadline. */
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
      // The reader may have carried it out before USB failed: whoever wrote looks at the card.
      if (isWrite && heard === 'failed') return { refused: 'unclear', vendorCode: 'USB' }
      if (again && !isWrite && heard !== 'late' && heard !== 'gone') continue
      // What was heard is not passed on: a line that echoes repeats the question, a sector's key with it.
      throw fault(typeof heard === 'object' ? 'the answer is unreadable' : silences[heard])
    }

    function fault(detail: string): DeviceFault {
      const silence: FaultCode = line.gone ? 'encoder-offline' : 'encoder-timeout'
      return new DeviceFault(left && isWrite ? 'encoder-timeout-writing' : silence, `${name}: ${detail}`)
    }
  }

  /** The command as one report, and the report that answers it, looked for until it holds something that `fits`. */
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
      // Never looked at again after this: the reader would show the same answer once more.
      if (!empty && fits(packet)) return packet ?? 'unreadable'
      await clock.sleep(Math.max(0, Math.min(pollMs * patience, left())))
    }
    return line.gone ? 'gone' : 'late'
  }

  function transfer(leftMs: number): number {
    return Math.min(transferMs * Math.max(1, patience), Math.max(0, leftMs))
  }

  /**
   * True once the next answer to be seen can only be that of the next command. The reader works in order and holds one
   * answer: once it holds that to a question asked now, nothing of before can come any more. Asked is its serial
   * number, because no other answer in use has its length.
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
  // A model that has none says so, which is as good.
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

/** Undefined for what cannot be the command's answer; throws the DeviceFault of what the reader cannot do at all. */
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
