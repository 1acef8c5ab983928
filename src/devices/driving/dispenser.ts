import type {
  CardDispenser,
  CardPosition,
  DispenserStatus,
  Identity,
  InitAction,
  Position,
} from '../capability.ts'
import { DeviceFault } from '../fault.ts'
import { oneAtATime } from '../one-at-a-time.ts'

/**
 * A machine that moves cards. `Seen` is the state of its sensors at one moment. Every method rejects with a
 * DeviceFault.
 */
export interface Mechanism<Seen> {
  positions: readonly Position[]
  initialise(card: InitAction): Promise<Identity>
  look(): Promise<Seen>
  /** Reads the sensors once nothing moves any more. */
  atRest(): Promise<Seen>
  entry(enabled: boolean): Promise<void>
  /** Closes the entry and reads the sensors; null when the entry was closed before. */
  closeEntry(): Promise<Seen | null>
  /** Throws a fault when a move from this state is bound to fail. */
  expectPossible(to: Position, seen: Seen): void
  /** Executes one motion, and never repeats it. Resolves once the sensors confirm it. */
  go(to: Position, before: Seen): Promise<Seen>
  status(seen: Seen): DispenserStatus
  close(): void
}

/**
 * The command that moves a card to each position, as protocol tables name it. A held card waits at the antenna, behind the
 * mouth, where a guest cannot reach it.
 */
export const motions = {
  encoder: 'move-encoder',
  chip: 'move-chip',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
  stacker: 'move-stacker',
} as const satisfies Record<Position, string>
export type MotionName = (typeof motions)[Position]

const callsWaiting = 16
/** If the entry is open, a machine draws the card that it has just presented back in. */
const presenting: readonly Position[] = ['front', 'eject']

/** A mutex for the calls of one dispenser: they run one at a time, in call order. */
export function dispenserTurns(): <T>(call: () => Promise<T>) => Promise<T> {
  return oneAtATime(callsWaiting, 'dispenser-offline')
}

/**
 * Makes a CardDispenser of a machine. It runs one call at a time, and reads the sensors before each motion. Pass
 * `inTurn` when the driver has further calls that need the same mutex.
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
  const status = machine.status(before)
  return isThere(machine, to, status) ? status : machine.status(await machine.go(to, before))
}

/** Where a card waits for its next move. A held card waits at the encoder, where a guest cannot reach it. */
const waits: Partial<Record<Position, CardPosition>> = { front: 'gate', encoder: 'encoder', hold: 'encoder' }

/**
 * Whether the card is already there, so that nothing moves. A needless move is dangerous: if the guest pulls the card
 * out at that moment, the machine feeds another one. A machine with a contact station does not distinguish the contacts
 * from the encoder, so there a card at the encoder proves nothing.
 */
function isThere<Seen>({ positions }: Mechanism<Seen>, to: Position, { card }: DispenserStatus): boolean {
  return card === waits[to] && !(card === 'encoder' && positions.includes('chip'))
}

/** The fault for a move on an empty path: the machine would feed a new card and move that one. */
export function noCardFor(to: Position): DeviceFault {
  return new DeviceFault('no-card', `no card in the path to move to ${to}`)
}

/** The fault for a motion that may have been executed, but is not confirmed by the sensors. */
export function unproved(motion: string, detail: string, cause?: unknown): DeviceFault {
  return new DeviceFault('dispenser-timeout', `${motion}: ${detail}`, { cause })
}

/** Reads the sensors after a motion has begun. If they cannot be read, the outcome of the motion is unknown. */
export async function lookAfter<Seen>(motion: string, look: () => Promise<Seen>): Promise<Seen> {
  try {
    return await look()
  } catch (cause) {
    throw unproved(motion, 'its sensors cannot be read afterwards', cause)
  }
}
