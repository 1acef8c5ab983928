import type { Position } from '../../src/devices/capability.ts'
import { type MotionName, noCardFor } from '../../src/devices/driving/dispenser.ts'
import { sensedMotion } from '../../src/devices/driving/sensed-motion.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { K720Line } from './line.ts'
import { order, stateOf } from './machine-commands.ts'
import { limits } from './protocol.ts'
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

/** Executes a motion, and returns the state word once its sensors confirm the end. */
export function go(machine: K720, to: Position, before: number): Promise<number> {
  const { clock, patience, sensors, busyBits } = machine
  return sensedMotion({
    to,
    from: placeOf(before, sensors),
    // No machine of this family has a contact station, so that no position of it is `chip`.
    begin: (name) => order(machine, name as Exclude<MotionName, 'move-chip'>),
    look: () => stateOf(machine),
    sight: (word) => ({
      card: placeOf(word, sensors),
      isBusy: (word & busyBits) !== 0,
      movesCard: (word & (bits.dispensing | bits.collecting)) !== 0,
      trouble: troubleIn(word),
    }),
    clock,
    patience,
    ...limits,
  })
}
