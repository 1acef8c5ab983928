import { type Door, type DoorAnswer, type DoorMemory, door } from '../../../../drivers/hkr1/simulator/door.ts'
import type { SimulatedCard } from '../../../../src/simulators/devices/simulated-card.ts'
import { secrets } from '../../../access/house-with-doors.ts'
import type { Opening } from './keys.ts'

/** The doors of the units, which remember what was used at them. */
export interface DoorsOfUnits {
  /** A guest holds a card to the door. */
  use(card: SimulatedCard, unitName: string): DoorAnswer
  /** Whether the card would open the door now; the door does not remember it. */
  opens(card: SimulatedCard, unitName: string): boolean
  /** Which of the cards open which of the units now. */
  openings(cards: Iterable<SimulatedCard>, unitNames: readonly string[]): Opening[]
}

/** The serial number as the store has it. */
export function uidOf({ uid }: SimulatedCard): string {
  return Buffer.from(uid).toString('hex').toUpperCase()
}

export function doorsOfUnits(now: () => number): DoorsOfUnits {
  const memories = new Map<string, DoorMemory>()
  const keys = new Map(Object.entries(secrets.keys).map(([id, hex]) => [Number(id), Uint8Array.fromHex(hex)]))
  const master = Uint8Array.fromHex(secrets.master)
  const memoryOf = (unitName: string) =>
    memories.get(unitName) ?? memories.set(unitName, { sequence: 0, usedOnce: [] }).get(unitName)!
  const at = (unitName: string, memory: DoorMemory): Door =>
    door({ lock: Number(unitName), site: 1, keys, master, memory })
  const opens = (card: SimulatedCard, unitName: string) =>
    at(unitName, structuredClone(memoryOf(unitName))).present(card, now()).opens
  return {
    use: (card, unitName) => at(unitName, memoryOf(unitName)).present(card, now()).code,
    opens,
    openings: (cards, unitNames) =>
      [...cards].flatMap((card) =>
        unitNames
          .filter((unitName) => opens(card, unitName))
          .map((unitName) => ({ uid: uidOf(card), unitName })),
      ),
  }
}
