import {
  type CardPosition,
  type DispenserStatus,
  type Position,
  positions,
} from '../../src/devices/capability.ts'
import { lookAfter, noCardFor, unproved } from '../../src/devices/driving/dispenser.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Asking } from './asking.ts'
import type { Field } from './port.ts'
import { type CommandTable, limits, type MotionName } from './protocol.ts'
import { type Positive, printable } from './text.ts'

/** A machine on an open wire. */
export interface F2Machine extends Asking {
  commands: CommandTable
  positions: readonly Position[]
  field: Field
  /** st0 shows antenna and contacts alike; only a confirmed move tells them apart. */
  isAtContacts: boolean
  clock: Clock
  /** Stretches or shortens every pause. */
  patience: number
}

/** Behind the gate nobody can reach a card that stands at the antenna, so that is where one is held. */
const motions: Partial<Record<Position, MotionName>> = {
  encoder: 'move-encoder',
  chip: 'move-chip',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
}

const places: Record<string, CardPosition> = { '0': 'none', '1': 'gate', '2': 'encoder' }
const levels: Record<string, DispenserStatus['stacker']> = { '0': 'empty', '1': 'nearEmpty', '2': 'ok' }

/** The positions that a model reaches; `chip` is one where it has the contact station. */
export function positionsOf(commands: CommandTable, hasContacts: boolean): readonly Position[] {
  return positions.filter((to) => {
    const motion = motions[to]
    return motion !== undefined && commands[motion] !== undefined && (to !== 'chip' || hasContacts)
  })
}

/** What the three status characters say. */
export function statusOf({ isAtContacts }: F2Machine, { card, stacker, bin }: Positive): DispenserStatus {
  const place = places[card] ?? 'unknown'
  return {
    card: place === 'encoder' && isAtContacts ? 'chip' : place,
    stacker: levels[stacker] ?? 'unknown',
    bin: bin === '0' ? 'ok' : 'full',
  }
}

/** Throws what would go wrong with a move from here. */
export function expectPossible(to: Position, seen: Positive): void {
  if (to !== 'encoder' && seen.card !== '1' && seen.card !== '2') throw noCardFor(to)
  if (to === 'capture' && seen.bin !== '0') throw new DeviceFault('dispenser-bin-full', 'the bin is full')
}

/** Then nothing is moved: a card pulled out at that very moment would make the machine feed another one. */
export function isThere(machine: F2Machine, to: Position, { card }: Positive): boolean {
  if (to === 'front') return card === '1'
  return (to === 'encoder' || to === 'hold') && card === '2' && !machine.positions.includes('chip')
}

/** Has a motion carried out, and gives the sensors once they show that it was. */
export async function go(machine: F2Machine, to: Position, before: Positive): Promise<Positive> {
  const name = motions[to]!
  machine.isAtContacts = false
  await switchFieldOff(machine)
  const reply = await machine.tryMotion(name).catch((fault) => explained(machine, fault))
  const after =
    reply === 'unheard' ? await unheard(machine, name, before) : await settled(machine, name, reply)
  machine.isAtContacts = to === 'chip'
  return after
}

/** A card that is active at the antenna may keep the machine from moving it. */
async function switchFieldOff({ ask, field }: F2Machine): Promise<void> {
  if (!field.on) return
  try {
    await ask('rf-off')
  } catch (fault) {
    // Refused because nothing is active any more; an antenna that does not answer stops the motion.
    if (!(fault instanceof DeviceFault) || fault.code === 'dispenser-offline') throw fault
  }
}

/** A jam, with what the sensors show of it: for the log, and for who opens the machine. */
async function explained(machine: F2Machine, fault: unknown): Promise<never> {
  if (!(fault instanceof DeviceFault) || fault.code !== 'dispenser-jam') throw fault
  const shown = await sensorBlock(machine).catch(() => '')
  if (shown) fault.message += `; its sensors show ${shown}`
  throw fault
}

/** Its sensors as it tells them: 0 free, 1 a card. */
export async function sensorBlock({ ask }: Asking): Promise<string> {
  return printable((await ask('sensors')).data)
}

/** Waits a little for the sensors to show what the reply said. */
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

/** Nothing at all was heard of the motion: the sensors decide whether it was done, or never taken. */
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
