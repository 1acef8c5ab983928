import type { Duplex } from 'node:stream'
import type { Timing } from '../../src/devices/driver.ts'
import { becomesQuiet, type HostEnd, hostEnd } from '../../src/devices/driving/host-end.ts'
import type { LineFailure } from '../../src/devices/driving/line-failure.ts'
import { deadline } from '../../src/devices/inbox.ts'
import { type Bytes, listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import { control, deframer, frame, type K720ControlWord, type K720Received } from './framing.ts'
import { type K720Command, type K720Query, limits } from './protocol.ts'

/** A command that failed. `unanswered`: no reply after ENQ. `blocked`: the wire did not accept the bytes. */
export interface K720Failure {
  end: LineFailure
  /** True after ENQ was sent: the command may be executed. */
  begun: boolean
}

/** The host's end of the wire to one machine. */
export interface K720Line extends HostEnd<K720Received | Bytes>, Timing {
  wire: Duplex
  address: number
  /** True when the machine holds no command, and no earlier answer can still arrive. */
  clear: boolean
}

/** Listens to a wire. An earlier user of the wire may have left a conversation open on it. */
export function lineOn(wire: Duplex, address: number, patience: number, clock: Clock): K720Line {
  const end = hostEnd<K720Received | Bytes>(wire, clock)
  listen(wire, deframer(), clock, limits.gapMs * patience, end.received.put, end.received.end)
  return { ...end, wire, address, clock, patience, clear: false }
}

/**
 * Sends a command without a reply, or a query up to its reply. Returns null once ENQ was sent. One caller at a time.
 *
 *   > frame    < ACK (500 ms)    > ENQ
 */
export async function offer(line: K720Line, { payload }: K720Command): Promise<K720Failure | null> {
  const { address } = line
  if (!line.clear) await settle(line)
  line.received.empty()
  let end: LineFailure = 'unheard'
  for (let sends = 0; sends < limits.sends; sends++) {
    if (!(await write(line, frame(address, Buffer.from(payload, 'latin1')))))
      return { end: blockedOrGone(line), begun: false }
    const received = await confirmation(line)
    if (received === 'ack')
      return (await write(line, control('enq', address))) ? null : { end: blockedOrGone(line), begun: true }
    if (received === 'gone') return { end: 'gone', begun: false }
    end = received === 'nak' ? 'declined' : 'unheard'
  }
  // The machine may hold a copy: the ENQ of the next command must not execute it.
  line.clear = false
  await write(line, control('eot', address))
  return { end, begun: false }
}

/** The payload that answers a query. One caller at a time. */
export async function query(line: K720Line, question: K720Query): Promise<Uint8Array | K720Failure> {
  const failure = await offer(line, question)
  if (failure) return failure
  const answer = await reply(line, question)
  if (!(answer instanceof Uint8Array)) line.clear = false
  return answer
}

async function confirmation(line: K720Line): Promise<'ack' | 'nak' | 'late' | 'gone'> {
  const by = deadline(line.clock, limits.ackMs * line.patience)
  for (;;) {
    const received = await line.received.next(by.left())
    if (received === 'late' || received === 'gone') return received
    if (isWord(line, received, 'ack')) return 'ack'
    if (isWord(line, received, 'nak')) return 'nak'
  }
}

async function reply(
  { received, address, clock, patience }: K720Line,
  question: K720Query,
): Promise<Uint8Array | K720Failure> {
  const by = deadline(clock, limits.replyMs * patience)
  let end: LineFailure = 'unanswered'
  for (;;) {
    const item = await received.next(by.left())
    if (item === 'late') return { end, begun: true }
    if (item === 'gone') return { end: 'gone', begun: true }
    if (item.kind === 'damaged') end = 'garbled'
    if (item.kind !== 'frame' || item.address !== address) continue
    if (Buffer.from(item.payload).toString('latin1').startsWith(question.reply)) return item.payload
  }
}

/** Drops the command that the machine holds, and waits until no earlier answer can still arrive. */
async function settle(line: K720Line): Promise<void> {
  const { received, address, clock, patience } = line
  if (!(await write(line, control('eot', address)))) return
  const [quietMs, mostMs] = [limits.quietMs * patience, limits.settleMs * patience]
  line.clear = await becomesQuiet(received, { quietMs, mostMs, clock })
}

function isWord({ address }: K720Line, received: K720Received | Bytes, word: K720ControlWord): boolean {
  return received.kind === 'control' && received.word === word && received.address === address
}

function blockedOrGone({ received }: K720Line): 'gone' | 'blocked' {
  return received.ended ? 'gone' : 'blocked'
}

/** Whether the wire accepted the bytes: copies that pile up before a blocked wire would all be executed. */
async function write(line: K720Line, bytes: Uint8Array): Promise<boolean> {
  const { wire, received, patience } = line
  if (received.ended || !wire.writable) return false
  line.write(bytes)
  return (await line.written(limits.ackMs * patience)) && !received.ended
}
