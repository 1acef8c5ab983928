import { it } from 'node:test'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import { always, once } from './card-faults.ts'
import type { Player } from './faults-lobby.ts'

/** In the order of the table's columns. */
export const faultColumns = ['silence', 'late', 'garble', 'close', 'refuse'] as const
export type FaultColumn = (typeof faultColumns)[number]

/**
 * A command of a driver's table, at its so manyth time on a card's way, and what follows when it goes wrong there in each
 * way: the answer and where that leaves card and key. `again` is for one that goes wrong however often it is tried.
 */
export type FaultLine = [at: string, nth: number, ...Cells]
type Cells = [silence: string, late: string, garble: string, close: string, refuse: string]

export interface FaultTable {
  /** Asked when the tests run. */
  player(): Player
  /** Whether a command goes wrong once, or more often than any driver tries. */
  how: 'once' | 'always'
  /** The device's own code in the column `refuse`, by the command; its simulator's first choice unless said. */
  codes?: Readonly<Record<string, string>>
  /** What leads there, where a card that goes well does not. */
  lead?: () => unknown
  lines: readonly FaultLine[]
}

/** One test a cell. A dash is a fault that this device cannot have there. */
export function eachCell(
  { player, how, codes = {}, lead, lines }: FaultTable,
  play: (wrong: () => Promise<void>, cell: string) => Promise<void>,
): void {
  for (const [at, nth, ...cells] of lines)
    for (const [index, does] of faultColumns.entries()) {
      const cell = cells[index]!
      if (cell === '-') continue
      const plenty = how === 'once' ? once : always
      const wrong = (): Misbehaviour[] =>
        plenty(at, does, nth - 1).map(({ code: _first, ...rest }) => ({
          ...rest,
          ...(codes[at] && { code: codes[at] }),
        }))
      it(`${at} ${nth}, ${does} ${how}: ${cell}`, () =>
        play(async () => {
          await lead?.()
          player().misbehaviours.push(...wrong())
        }, cell))
    }
}
