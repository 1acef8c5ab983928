import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import type { HouseWithDoors } from './house-with-doors.ts'

/** Makes something go wrong in a house; answers how to put it right where healing the devices is not enough. */
export type Cause = (house: HouseWithDoors) => (() => void) | undefined

/** Cards that were pulled out of the machine by force. */
export const hand: SimulatedCard[] = []

type Does = Misbehaviour['does']

export const once = (at: string, does: Does, skip = 0, code = '10'): Misbehaviour[] => [
  { at, does, skip, code },
]
/** More often than any driver tries. */
export const always = (at: string, does: Does, skip = 0): Misbehaviour[] => [
  { at, does, skip },
  ...Array.from({ length: 120 }, () => ({ at, does })),
]

export function machine(...wrong: Misbehaviour[]): Cause {
  return ({ lobby }) => void lobby.dispenser.misbehaviours.push(...wrong)
}

export function reader(...wrong: Misbehaviour[]): Cause {
  return ({ lobby }) => void lobby.encoder.misbehaviours.push(...wrong)
}

/** At this command of the encoder the card is pulled out of the machine. */
export function pulled(at: string, skip = 0): Cause {
  return (house) => during(house, at, skip, () => lift(house, null))
}

/** At this command of the encoder another, blank card lies there. */
export function swapped(at: string, skip = 0): Cause {
  return (house) => during(house, at, skip, () => lift(house, blankCards(1, null, 'classic')[0]!))
}

/** At this command of the encoder a byte of the record on the card has changed. */
export function spoiled(at: string, skip: number): Cause {
  return (house) =>
    during(house, at, skip, () => {
      house.lobby.dispenser.card!.memory[5 * 16]! ^= 1
    })
}

/** From the last write on the encoder says nothing any more. */
export const dies: Cause = ({ lobby }) => {
  const { misbehaviours } = lobby.encoder
  const then = () => void misbehaviours.push(...always('*', 'silence'))
  misbehaviours.push({ at: 'writeBlock', skip: 3, does: 'late', then })
  return undefined
}

export const powerLost: Cause = ({ lobby }) => {
  lobby.dispenser.initialised = false
  return undefined
}

export const emptyStacker: Cause = ({ lobby }) => {
  const cards = lobby.dispenser.stack.splice(0)
  return () => lobby.dispenser.stack.push(...cards)
}

export const fullBin: Cause = ({ lobby }) => {
  const { binCapacity } = lobby.dispenser
  lobby.dispenser.binCapacity = 0
  return () => {
    lobby.dispenser.binCapacity = binCapacity
  }
}

export const leftover: Cause = ({ lobby }) => {
  lobby.dispenser.card = blankCards(1, null, 'classic')[0]!
  lobby.dispenser.at = 'encoder'
  return undefined
}

/** A guest's own blank card lies on the antenna, and the machine's path is empty. */
export const outsider: Cause = ({ lobby }) => {
  const { cards } = lobby.dispenser
  const own = blankCards(1, null, 'classic')
  lobby.dispenser.cards = () => own
  return () => {
    lobby.dispenser.cards = cards
  }
}

/** The next card to be fed has keys of its own in every sector. */
export const foreignCard: Cause = ({ lobby }) => {
  const [card] = lobby.dispenser.stack
  for (let trailer = 3; trailer < 64; trailer += 4) card!.memory.fill(0x5a, trailer * 16, trailer * 16 + 6)
  for (let trailer = 3; trailer < 64; trailer += 4)
    card!.memory.fill(0x5a, trailer * 16 + 10, trailer * 16 + 16)
  return undefined
}

/** The store refuses to call a key live. */
export const refusingStore: Cause = ({ data }) => {
  inStore(
    data,
    `CREATE TRIGGER refuse BEFORE UPDATE ON "key" WHEN new.status = 'live' AND old.status = 'pendingWrite'
     BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
  )
  return () => inStore(data, 'DROP TRIGGER refuse')
}

function inStore(data: string, sql: string): void {
  const file = new Database(join(data, 'nightporter.db'))
  file.exec(sql)
  file.close()
}

function during({ lobby }: HouseWithDoors, at: string, skip: number, then: () => void): undefined {
  lobby.encoder.misbehaviours.push({ at, does: 'pass', skip, then })
}

function lift({ lobby }: HouseWithDoors, instead: SimulatedCard | null): void {
  const { dispenser } = lobby
  if (dispenser.card) hand.push(dispenser.card)
  dispenser.card = instead
  if (!instead) dispenser.at = 'none'
}
