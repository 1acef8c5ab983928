import {
  type CardPosition,
  type DispenserStatus,
  type Position,
  positions,
} from '../../src/devices/capability.ts'
import type { Timing } from '../../src/devices/driver.ts'
import {
  lookAfter,
  type MotionName,
  motions,
  noCardFor,
  unproved,
} from '../../src/devices/driving/dispenser.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { MachineCommands } from './machine-commands.ts'
import type { AntennaField } from './port.ts'
import { type CommandTable, limits } from './protocol.ts'
import { type Positive, printable } from './text.ts'

/** A machine on an open wire. */
export interface F2Machine extends MachineCommands, Timing {
  commands: CommandTable
  positions: readonly Position[]
  field: AntennaField
  /**
   * True when the card is at the contacts. st0 shows the same value for antenna and contacts, so only a confirmed move
   * distinguishes them.
   */
  isAtContacts: boolean
}

const places: Record<string, CardPosition> = { '0': 'none', '1': 'gate', '2': 'encoder' }
const levels: Record<string, DispenserStatus['stacker']> = { '0': 'empty', '1': 'nearEmpty', '2': 'ok' }

/** The positions that a model reaches; `chip` only with a contact station. */
export function positionsOf(commands: CommandTable, hasContacts: boolean): readonly Position[] {
  return positions.filter((to) => commands[motions[to]] && (to !== 'chip' || hasContacts))
}

/** The meaning of the three status characters. */
export function statusOf({ isAtContacts }: F2Machine, { card, stacker, bin }: Positive): DispenserStatus {
  const place = places[card] ?? 'unknown'
  return {
    card: place === 'encoder' && isAtContacts ? 'chip' : place,
    stacker: levels[stacker] ?? 'unknown',
    bin: bin === '0' ? 'ok' : 'full',
  }
}

/** Throws a fault when a move from this state is bound to fail. */
export function expectPossible(to: Position, seen: Positive): void {
  if (to !== 'encoder' && seen.card !== '1' && seen.card !== '2') throw noCardFor(to)
  if (to === 'capture' && seen.bin !== '0') throw new DeviceFault('dispenser-bin-full', 'the bin is full')
}

/** Executes a motion, and returns the sensors once they confirm it. */
export async function go(machine: F2Machine, to: Position, before: Positive): Promise<Positive> {
  const name = motions[to]
  machine.isAtContacts = false
  await switchFieldOff(machine)
  const reply = await machine.tryMotion(name).catch((fault) => explained(machine, fault))
  const after =
    reply === 'unheard' ? await unheard(machine, name, before) : await settled(machine, name, reply)
  machine.isAtContacts = to === 'chip'
  return after
}

/** Deactivates the card first: a card that is active at the antenna may prevent the machine from moving it. */
async function switchFieldOff({ ask, field }: F2Machine): Promise<void> {
  if (!field.on) return
  try {
    await ask('rf-off')
  } catch (fault) {
    // A refusal means that no card is active. When the antenna does not answer, the motion is not started.
    if (!(fault instanceof DeviceFault) || fault.code === 'dispenser-offline') throw fault
  }
}

/** A jam, with the sensors' state for the log and for the technician. */
async function explained(machine: F2Machine, fault: unknown): Promise<never> {
  if (!(fault instanceof DeviceFault) || fault.code !== 'dispenser-jam') throw fault
  const shown = await sensorBlock(machine).catch(() => '')
  if (shown) fault.message += `; its sensors show ${shown}`
  throw fault
}

/** The sensors as the machine reports them: 0 free, 1 a card. */
export async function sensorBlock({ ask }: MachineCommands): Promise<string> {
  return printable((await ask('sensors')).data)
}

/** Waits a short time for the sensors to confirm the reply. */
async function settled(machine: F2Machine, name: MotionName, reply: Positive): Promise<Positive> {
  const { arrives } = machine.commands[name]!
  let latest = reply
  for (let looks = 0; !isOneOf(arrives, latest.card); looks++) {
    if (looks === limits.looks) throw unproved(name, `done, but its sensors show ${latest.card}`)
    await machine.clock.sleep(limits.lookMs * machine.patience)
    latest = await lookAfter(name, () => machine.ask('status'))
  }
  return latest
}

/** Nothing arrived after the motion was sent: the sensors decide whether it was executed or never received. */
async function unheard(machine: F2Machine, name: MotionName, before: Positive): Promise<Positive> {
  const { arrives, proof } = machine.commands[name]!
  const after = await lookAfter(name, () => machine.ask('status'))
  const hasMoved = after.card !== before.card
  if (hasMoved && proof === 'sensors' && after.card === arrives[0]) return after
  if (!hasMoved && !isOneOf(arrives, after.card))
    throw new DeviceFault('dispenser-offline', `${name}: the machine did not take the command; nothing moved`)
  throw unproved(name, `not confirmed, and its sensors show ${after.card}`)
}

function isOneOf(shown: readonly string[], card: string): boolean {
  return shown.includes(card)
}
