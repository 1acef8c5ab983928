import type { Duplex } from 'node:stream'
import type { LineFailure } from '../../src/devices/driving/line-failure.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import { damagedPacket } from './errors.ts'
import { frame } from './framing.ts'
import { accept, answers, isGone, type Port, portOf, sendWord, type WireEnd, written } from './port.ts'
import { type Crt571Command, limits, rules } from './protocol.ts'
import { settle } from './settle.ts'
import { type Crt571Reply, commandText } from './text.ts'

/** A command that failed. `blocked`: the line could not be cleared, and nothing was sent. */
export interface Crt571Failure {
  end: LineFailure
  /** Whether a copy of the command was sent that the machine may have received. */
  left: boolean
}

export type Crt571Line = ReturnType<typeof line>

/** The host's end of the wire, or of a branch of it. `patience` multiplies every deadline. */
export function line(wire: Duplex, address: number, patience: number, clock: Clock) {
  const port = portOf(wire, patience, clock)
  const end: WireEnd = { wire, port, address, clock, patience }
  return {
    /**
     * Sends one command and returns its reply, after the other devices on the wire. Never rejects. One caller at a time.
     */
    exchange: (
      command: Crt571Command,
      data: Uint8Array = new Uint8Array(),
    ): Promise<Crt571Reply | Crt571Failure> => exchange(end, command, data),
    /** The antenna's field, shared by all devices on the wire. */
    field: port.field,
    close: (): void => void wire.destroy(),
  }
}

/** One command in progress. */
interface Talk {
  command: Crt571Command
  data: Uint8Array
  /** Whether a copy of it was sent that the machine may have received. */
  left: boolean
}

/** Returns without waiting when this end of the wire is closed; the conversation may continue. */
async function exchange(
  end: WireEnd,
  command: Crt571Command,
  data: Uint8Array,
): Promise<Crt571Reply | Crt571Failure> {
  const talk: Talk = { command, data, left: false }
  const { promise: gone, resolve } = Promise.withResolvers<Crt571Failure>()
  const close = () => resolve({ end: 'gone', left: talk.left })
  end.wire.once('close', close)
  try {
    return await Promise.race([end.port.inTurn(() => converse(end, talk)), gone])
  } finally {
    end.wire.off('close', close)
  }
}

//   > command    < ACK (300 ms)    < reply    > ACK
async function converse(end: WireEnd, talk: Talk): Promise<Crt571Reply | Crt571Failure> {
  const { port, address } = end
  const { command, data } = talk
  const obstacle = await obstacleTo(end, command)
  if (obstacle) return { end: obstacle, left: false }
  port.received.empty()
  port.clear = false
  if (rules[command.kind].endsField) fieldIs(port, 'off')
  for (let sends = 1; ; sends++) {
    const leftBefore = talk.left
    talk.left = true
    port.write(frame(address, commandText(command, data)))
    const received = await receiveUntil(end, command)
    if (typeof received === 'object') {
      port.clear = received.tidy && sends === 1
      if (command.field && received.reply.ok) fieldIs(port, command.field)
      return received.reply
    }
    if (received === 'declined') talk.left = leftBefore
    const next = await afterFailure(end, command, received, sends)
    if (next === 'again') continue
    return next ?? { end: received, left: talk.left }
  }
}

/** The reason why nothing can be sent; null for a clear line. */
async function obstacleTo(end: WireEnd, command: Crt571Command): Promise<'gone' | 'blocked' | null> {
  if (isGone(end)) return 'gone'
  if (!end.port.clear) await settle(end, command)
  if (isGone(end)) return 'gone'
  return end.port.clear ? null : 'blocked'
}

/**
 * Decides whether the command is sent again. Returns its reply if that arrived while the line was cleared; null for
 * neither.
 */
async function afterFailure(
  end: WireEnd,
  command: Crt571Command,
  failure: LineFailure,
  sends: number,
): Promise<'again' | Crt571Reply | null> {
  const { resend, acts } = rules[command.kind]
  const mayBeSent = failure === 'declined' || (failure === 'unheard' && resend)
  const again = sends < limits.sends && mayBeSent && !isGone(end)
  // Copies that pile up before a blocked wire would all be executed once it accepts bytes again.
  if (again && resend) return (await written(end)) ? 'again' : null
  if (!acts || failure === 'gone') return null
  const crossing = await settle(end, command)
  if (crossing) return crossing
  // On a line that was not cleared, a repeated NAK could send again a motion that is in progress.
  return again && end.port.clear && !isGone(end) ? 'again' : null
}

function fieldIs({ field }: Port, state: 'on' | 'off'): void {
  field.on = state === 'on'
  field.turn++
}

/** Waits for ACK and reply after a command was sent. */
async function receiveUntil(
  end: WireEnd,
  command: Crt571Command,
): Promise<{ reply: Crt571Reply; tidy: boolean } | LineFailure> {
  const { port, clock, patience } = end
  const ackBy = deadline(clock, limits.ackMs * patience)
  const replyBy = deadline(clock, command.withinMs * patience)
  let acked = false
  let tidy = true
  let naks = 0
  for (;;) {
    const by = acked || !rules[command.kind].resend ? replyBy : ackBy
    const received = await port.received.next(by.left())
    if (received === 'gone') return 'gone'
    if (received === 'late') return acked ? 'unanswered' : 'unheard'
    if (received.kind === 'control') {
      if (received.word === 'ack') acked = true
      if (received.word === 'nak' && !acked) return 'declined'
      continue
    }
    const reply = accept(end, received)
    if (reply === 'damaged') {
      tidy = false
      if (naks++ === limits.naks) return 'garbled'
      sendWord(end, 'nak')
    } else if (reply && !answers(reply, command)) tidy = false
    else if (reply) return !reply.ok && reply.code === damagedPacket ? 'declined' : { reply, tidy }
  }
}
