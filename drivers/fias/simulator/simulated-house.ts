import { createHash, randomBytes } from 'node:crypto'
import type { Misbehaviour } from '../../../src/devices/simulator/misbehaviour.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { Framing } from '../framing.ts'
import { dateField, timeField } from '../moments.ts'
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
    const noise = seed === null ? randomBytes(4) : createHash('sha256').update(`${seed} ${issued}`).digest()
    return noise.subarray(0, 4).toString('hex').toUpperCase()
  }
  const system = keySystem({
    clock,
    framing,
    deeds: misbehaviours,
    book: bookOf(null, uid),
    shown: () => shownHere(clock),
  })
  return Object.assign(system, { misbehaviours })
}

function shownHere({ now }: Clock): { DA: string; TI: string } {
  const shown = Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(Temporal.Now.timeZoneId())
  const wall = {
    date: shown.toPlainDate().toString(),
    time: shown.toPlainTime().toString({ smallestUnit: 'second' }),
  }
  return { DA: dateField(wall), TI: timeField(wall) }
}
