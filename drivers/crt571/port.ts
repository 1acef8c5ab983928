import type { Duplex } from 'node:stream'
import { trunkOf } from '../../src/devices/branch.ts'
import type { Timing } from '../../src/devices/driver.ts'
import { type HostEnd, hostEnd } from '../../src/devices/driving/host-end.ts'
import { type Bytes, listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import { type Crt571ControlWord, type Crt571Received, control, deframer } from './framing.ts'
import { type Crt571Command, limits } from './protocol.ts'
import { type Crt571Reply, readCommand, readReply } from './text.ts'

export type Sound = Crt571Received | Bytes

/**
 * The state of the antenna's field, shared by all devices on the line. A motion ends the field, and so does the reader
 * itself.
 */
export interface AntennaField {
  on: boolean
  /** Counts the selections and the losses of cards. */
  turn: number
}

/** One wire, shared by all devices on it: the machine handles one conversation at a time. */
export interface Port extends HostEnd<Sound> {
  /** True when no earlier conversation is in progress or can still deliver bytes. */
  clear: boolean
  field: AntennaField
  /** Runs one conversation at a time, in call order. Each device has at most one running or waiting. */
  inTurn<T>(talk: () => Promise<T>): Promise<T>
}

const ports = new WeakMap<Duplex, Port>()

/** The port of a wire, or of the wire of which it is a branch. The first caller sets the patience and the clock. */
export function portOf(wire: Duplex, patience: number, clock: Clock): Port {
  const trunk = trunkOf(wire)
  const known = ports.get(trunk)
  if (known) return known
  const made = port(trunk, patience, clock)
  ports.set(trunk, made)
  return made
}

function port(wire: Duplex, patience: number, clock: Clock): Port {
  const end = hostEnd<Sound>(wire, clock)
  let last: Promise<unknown> = Promise.resolve()
  listen(wire, deframer(), clock, limits.gapMs * patience, end.received.put, end.received.end)

  return {
    ...end,
    // An earlier user of the wire may have left a conversation open on it.
    clear: false,
    field: { on: false, turn: 0 },
    inTurn(talk) {
      const mine = last.then(talk)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

/** The host's end of the wire, or of a branch of it. */
export interface WireEnd extends Timing {
  wire: Duplex
  port: Port
  address: number
}

/** True when this end was closed, or the wire itself. */
export function isGone({ wire, port }: WireEnd): boolean {
  return port.received.ended || wire.destroyed || !trunkOf(wire).writable
}

/** Sends one control word, such as an acknowledgement. */
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
