import type { CardPosition, Position } from '../../src/devices/capability.ts'
import { lookAfter, noCardFor, unproved } from '../../src/devices/driving/dispenser.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { K720Line } from './line.ts'
import { order, stateOf } from './machine-commands.ts'
import { type K720MotionName, limits } from './protocol.ts'
import { bits, placeOf, type Sensors, troubleIn } from './state-word.ts'

/** A machine on an open wire. */
export interface K720 extends K720Line {
  model: string
  preFeeds: boolean
  sensors: Sensors
  /** The bits that show that something moves. */
  busyBits: number
  /** True also until the entry was set on this wire. */
  isEntryOpen: boolean
}

/** The position in which a card is held: at the antenna, behind the mouth, where a guest cannot reach it. */
const motions: Partial<Record<Position, K720MotionName>> = {
  encoder: 'move-encoder',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
  stacker: 'move-stacker',
}

/** Where the card stands at the end of a motion. */
const arrivals: Record<K720MotionName, CardPosition> = {
  'move-encoder': 'encoder',
  'move-front': 'gate',
  'move-eject': 'none',
  'move-capture': 'none',
  'move-stacker': 'none',
}

/** Throws a fault when a move from this state is bound to fail. */
export function expectPossible({ sensors }: K720, to: Position, word: number): void {
  const trouble = troubleIn(word)
  if (trouble) throw new DeviceFault(trouble.code, `the machine shows ${trouble.vendorCode}`, trouble)
  const isEmpty = placeOf(word, sensors) === 'none'
  if (to !== 'encoder' && isEmpty) throw noCardFor(to)
  if (to === 'encoder' && isEmpty && word & bits.hopperEmpty && !(word & sensors.ready))
    throw new DeviceFault('dispenser-empty', 'the hopper is empty')
  if (to === 'capture' && word & bits.boxFull) throw new DeviceFault('dispenser-bin-full', 'the box is full')
}

/** A motion in progress. */
interface Motion {
  name: K720MotionName
  to: Position
  from: CardPosition
  hasMoved: boolean
}

/** Executes a motion and reads the sensors until they confirm its end. Returns the state word. */
export async function go(machine: K720, to: Position, before: number): Promise<number> {
  const { clock, patience } = machine
  const name = motions[to]!
  const motion: Motion = { name, to, from: placeOf(before, machine.sensors), hasMoved: false }
  await order(machine, name)
  const by = deadline(clock, limits.motionMs * patience)
  for (let still = 0; still < limits.stillLooks && by.left() > 0; ) {
    await clock.sleep(limits.lookMs * patience)
    const word = await lookAfter(name, () => stateOf(machine))
    const progress = judge(machine, motion, word)
    if (progress === 'done') return word
    if (progress === 'still' && ++still === limits.stillLooks)
      expectBegun(motion, placeOf(word, machine.sensors))
  }
  throw unproved(name, 'its sensors do not show that it was done')
}

/** What one state word shows of a motion. Throws a fault when the motion has failed. */
function judge({ sensors, busyBits }: K720, motion: Motion, word: number): 'done' | 'moving' | 'still' {
  const { name, to, from } = motion
  const place = placeOf(word, sensors)
  expectNoTrouble(motion, word, place)
  // A machine that prepares its next card moves too, which proves nothing about this card.
  motion.hasMoved ||= (word & (bits.dispensing | bits.collecting)) !== 0 || place === 'unknown'
  // A card that moves back from the mouth covers a sensor all the way. If no sensor sees it, a guest pulled it out.
  if (to === 'hold' && from === 'gate' && place === 'none')
    throw unproved(name, 'the card has left the gate, and the machine may have fed another')
  if (word & busyBits || place === 'unknown') return 'moving'
  return place === arrivals[name] && (motion.hasMoved || provesItself(motion)) ? 'done' : 'still'
}

/**
 * Whether the end position alone proves the motion. An empty path does not prove a capture from the mouth: a guest may
 * have pulled the card out.
 */
function provesItself({ name, from }: Motion): boolean {
  return from !== 'gate' || arrivals[name] !== 'none' || name === 'move-eject'
}

function expectBegun({ name, from, hasMoved }: Motion, place: CardPosition): void {
  if (place === from && !hasMoved)
    throw new DeviceFault('dispenser-offline', `${name}: the machine did not begin; nothing moved`)
}

function expectNoTrouble({ name, from }: Motion, word: number, place: CardPosition): void {
  const trouble = troubleIn(word)
  if (!trouble) return
  const { code, vendorCode } = trouble
  const wasPulled = name === 'move-capture' && from === 'gate' && place === 'none'
  if (wasPulled) throw unproved(name, `the machine shows ${vendorCode}, and the card is gone`)
  const outcomeUnknown = from !== 'none'
  throw new DeviceFault(code, `${name}: the machine shows ${vendorCode}`, { outcomeUnknown, vendorCode })
}
