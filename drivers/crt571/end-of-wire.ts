import type { Duplex } from 'node:stream'
import { trunkOf } from '../../src/devices/branch.ts'
import type { Clock } from '../../src/host/clock.ts'
import { type Crt571ControlWord, control } from './framing.ts'
import type { Port, Sound } from './port.ts'
import { type Crt571Command, limits } from './protocol.ts'
import { type Crt571Reply, readCommand, readReply } from './text.ts'

/** The host's end of the wire, or of a branch of it. */
export interface WireEnd {
  wire: Duplex
  port: Port
  address: number
  clock: Clock
  /** Multiplies every deadline. */
  patience: number
}

/** True when this end was closed, or the wire itself. */
export function isGone({ wire, port }: WireEnd): boolean {
  return port.received.ended || wire.destroyed || !trunkOf(wire).writable
}

export function sendWord({ port, address }: WireEnd, word: Crt571ControlWord): void {
  port.write(control(word, address))
}

/** Whether the wire has accepted all bytes that were written. */
export function written({ port, patience }: WireEnd): Promise<boolean> {
  return port.written(limits.ackMs * patience)
}

/** Decodes a reply to any command and acknowledges it; null for bytes that are not a reply to this address. */
export function accept(end: WireEnd, received: Sound): Crt571Reply | 'damaged' | null {
  if (received.kind === 'damaged') return 'damaged'
  if (received.kind !== 'frame' || received.address !== end.address) return null
  if (readCommand(received.payload)) return null
  const reply = readReply(received.payload)
  if (!reply) return 'damaged'
  sendWord(end, 'ack')
  return reply
}

/** Whether the reply belongs to this command. */
export function answers(reply: Crt571Reply, { cm, pm }: Crt571Command): boolean {
  return reply.cm === cm && reply.pm === pm
}
