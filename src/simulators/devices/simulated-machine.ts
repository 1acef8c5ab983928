import type { Duplex } from 'node:stream'
import type { MotionName } from '../../devices/driving/dispenser.ts'
import type { packetFraming } from '../../devices/driving/stx-packets.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { type CardPath, capture, cardPath, feed, give, isFull, putBack } from './simulated-card-path.ts'

/** A simulated dispenser with its cards. It outlives the wire. */
export interface SimulatedMachine extends CardPath {
  /** A model of the driver. */
  model: string
  address: number
  /** `at` is a name of the command table, such as `move-front`. */
  misbehaviours: Misbehaviour[]
  /** 0: a command ends as early as possible; 1: it takes as long as on a real machine. */
  pace: number
}

/** A machine that behaves well, with an empty path and an empty stacker unless `options` fill them. */
export function simulatedMachine(
  options: Partial<SimulatedMachine> & Pick<SimulatedMachine, 'clock' | 'model'>,
): SimulatedMachine {
  return { ...cardPath(options), address: 0, misbehaviours: [], pace: 0, ...options }
}

/** Where each motion ends: in the path, in the guest's hand, in the bin or in the stacker. */
const destinations = {
  'move-encoder': 'encoder',
  'move-chip': 'chip',
  'move-front': 'gate',
  'move-eject': 'guest',
  'move-capture': 'bin',
  'move-stacker': 'stacker',
} as const satisfies Record<MotionName, string>

/** Why a machine refuses a move. */
export type Obstacle = 'no card' | 'stacker empty' | 'bin full'

/**
 * Begins a move. Returns the function that completes it, or the obstacle to it. A move outward feeds a card from the
 * stacker when the path is empty.
 */
export function beginMove(path: CardPath, name: MotionName): (() => void) | Obstacle {
  const to = destinations[name]
  if (to === 'bin' || to === 'stacker') {
    if (!path.card) return 'no card'
    if (to === 'bin' && isFull(path)) return 'bin full'
    return () => (to === 'bin' ? capture(path) : putBack(path))
  }
  if (!path.card && path.stack.length === 0) return 'stacker empty'
  return () => {
    if (!feed(path)) return
    if (to === 'guest') give(path)
    else path.at = to
  }
}

/** Whether a command moves a card. */
export function isMotion(name: string): name is MotionName {
  return Object.hasOwn(destinations, name)
}

/** The machine's end of a wire. It writes only while the wire is open. */
export function machineEnd<Word extends string>(
  wire: Duplex,
  { frame, control }: Pick<ReturnType<typeof packetFraming<Word>>, 'frame' | 'control'>,
  machine: SimulatedMachine,
) {
  const write = (bytes: Uint8Array) => {
    if (wire.writable) wire.write(bytes)
  }
  return {
    write,
    /** Sends a control word. */
    sendWord: (word: Word) => write(control(word, machine.address)),
    /** Sends a packet, with a wrong check byte when it is garbled. Returns its bytes. */
    send(payload: Uint8Array, isGarbled: boolean): Uint8Array {
      const bytes = frame(machine.address, payload)
      if (isGarbled) bytes[bytes.length - 1]! ^= 0xff
      write(bytes)
      return bytes
    },
  }
}
