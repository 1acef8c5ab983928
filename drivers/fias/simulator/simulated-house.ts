import type { Clock } from '../../../src/host/clock.ts'
import { localTime } from '../../../src/simulators/devices/local-time.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { noiseFor } from '../../../src/simulators/devices/simulated-card.ts'
import type { Framing } from '../framing.ts'
import { stamp } from '../moments.ts'
import { bookOf } from './key-book.ts'
import { keySystem, type SimulatedKeySystem } from './key-system-simulator.ts'

/** The commands for a simulated key system, and the framing of its line. */
export const simulatedLines: Readonly<Record<string, Framing>> = {
  'fias-key': 'tcp',
  'fias-key-serial': 'serial-lrc',
}

/** The errors that a simulated key system can make. */
export const simulatedRequests = ['KR', 'KD', 'KM', 'KZ']

/**
 * A key system in which every room has a lock and every encoder holds a new card; its clock shows the local time of
 * this machine. The same seed gives the same serial numbers each time; null gives random ones.
 */
export function simulatedHouse(
  framing: Framing,
  seed: string | null,
  clock: Clock,
): SimulatedKeySystem & { misbehaviours: Misbehaviour[] } {
  const misbehaviours: Misbehaviour[] = []
  let issued = 0
  const uid = () => {
    issued++
    return noiseFor(seed, issued).subarray(0, 4).toString('hex').toUpperCase()
  }
  const system = keySystem({
    clock,
    framing,
    deeds: misbehaviours,
    book: bookOf(null, uid),
    shown: () => stamp(localTime(clock)),
  })
  return Object.assign(system, { misbehaviours })
}
