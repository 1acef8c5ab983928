import type { CardDispenser, DispenserStatus, Identity, InitAction, Position } from '../capability.ts'
import { DeviceFault } from '../fault.ts'
import { oneAtATime } from '../one-at-a-time.ts'

/** A machine that moves cards. `Seen` is what its sensors show at one moment. Everything rejects with a DeviceFault. */
export interface Mechanism<Seen> {
  positions: readonly Position[]
  initialise(card: InitAction): Promise<Identity>
  look(): Promise<Seen>
  /** Looks once nothing moves any more. */
  atRest(): Promise<Seen>
  entry(enabled: boolean): Promise<void>
  /** Closes the entry, and looks; null where it was closed before. */
  closeEntry(): Promise<Seen | null>
  /** Throws what would go wrong with a move from here. */
  expectPossible(to: Position, seen: Seen): void
  /** Whether the card stands there already, so that nothing is moved. */
  isThere(to: Position, seen: Seen): boolean
  /** Has one motion carried out, never twice. Resolves once the sensors prove it. */
  go(to: Position, before: Seen): Promise<Seen>
  status(seen: Seen): DispenserStatus
  close(): void
}

const callsWaiting = 16
/** With the entry open a machine would swallow the card it has just presented. */
const presenting: readonly Position[] = ['front', 'eject']

/** Calls of one dispenser, one at a time in the order made. */
export function dispenserTurns(): <T>(call: () => Promise<T>) => Promise<T> {
  return oneAtATime(callsWaiting, 'dispenser-offline')
}

/**
 * The dispenser that a machine is: one call at a time, and no motion without a look at the sensors before it. `inTurn` is
 * given where the driver has further calls.
 */
export function dispenser<Seen>(machine: Mechanism<Seen>, inTurn = dispenserTurns()): CardDispenser {
  return {
    positions: machine.positions,
    initialise: (card) => inTurn(() => machine.initialise(card)),
    status: () => inTurn(async () => machine.status(await machine.look())),
    move: (to) => inTurn(() => move(machine, to)),
    entry: (enabled) => inTurn(() => machine.entry(enabled)),
    close: machine.close,
  }
}

async function move<Seen>(machine: Mechanism<Seen>, to: Position): Promise<DispenserStatus> {
  if (!machine.positions.includes(to))
    throw new DeviceFault('unsupported-operation', `this model cannot move a card to ${to}`)
  const found = await machine.atRest()
  machine.expectPossible(to, found)
  const closed = presenting.includes(to) ? await machine.closeEntry() : null
  if (closed) machine.expectPossible(to, closed)
  const before = closed ?? found
  return machine.status(machine.isThere(to, before) ? before : await machine.go(to, before))
}

/** On an empty path a machine would feed a fresh card and send that. */
export function noCardFor(to: Position): DeviceFault {
  return new DeviceFault('no-card', `no card in the path to move to ${to}`)
}

/** A motion that may have been carried out: the sensors do not prove it. */
export function unproved(motion: string, detail: string, cause?: unknown): DeviceFault {
  return new DeviceFault('dispenser-timeout', `${motion}: ${detail}`, { cause })
}

/** Looks after a motion was begun: from then on sensors that cannot be read leave its outcome unknown. */
export async function lookAfter<Seen>(motion: string, look: () => Promise<Seen>): Promise<Seen> {
  try {
    return await look()
  } catch (cause) {
    throw unproved(motion, 'its sensors cannot be read afterwards', cause)
  }
}
