import { type Door, type DoorAnswer, type DoorMemory, door } from '../../../../drivers/hkr1/door.ts'
import type { SimulatedCard } from '../../../../src/devices/simulated-card.ts'
import { secrets } from '../../../access/house-with-doors.ts'

/** The doors of the units, which remember what was used at them. */
export interface DoorsOfUnits {
  /** A guest holds a card to the door. */
  use(card: SimulatedCard, unitName: string): DoorAnswer
  /** Whether the card would open the door now; the door does not remember it. */
  opens(card: SimulatedCard, unitName: string): boolean
}

export function doorsOfUnits(now: () => number): DoorsOfUnits {
  const memories = new Map<string, DoorMemory>()
  const keys = new Map(Object.entries(secrets.keys).map(([id, hex]) => [Number(id), Uint8Array.fromHex(hex)]))
  const master = Uint8Array.fromHex(secrets.master)
  const memoryOf = (unitName: string) =>
    memories.get(unitName) ?? memories.set(unitName, { sequence: 0, usedOnce: [] }).get(unitName)!
  const at = (unitName: string, memory: DoorMemory): Door =>
    door({ lock: Number(unitName), site: 1, keys, master, memory })
  return {
    use: (card, unitName) => at(unitName, memoryOf(unitName)).present(card, now()).code,
    opens: (card, unitName) => at(unitName, structuredClone(memoryOf(unitName))).present(card, now()).opens,
  }
}
