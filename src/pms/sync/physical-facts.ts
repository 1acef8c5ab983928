import { localDate } from '../../host/zone.ts'
import { settingsIn } from '../../reservation/property/house.ts'
import type { Transaction } from '../../resource/command.ts'
import type { PhysicalFacts } from './merge-stay.ts'
import type { SharedReservation } from './shared-reservation.ts'
import type { Sharing, SyncParts } from './sync-changes.ts'

/** What has happened in the house, asked for when a merge wants to know it. */
export function physicalFacts(
  tx: Transaction,
  sharing: Sharing,
  { stays }: SharedReservation,
  { ports, leasedUnits }: Pick<SyncParts, 'ports' | 'leasedUnits'>,
): PhysicalFacts {
  const ofStays = (names: (stayId: string) => readonly string[]) =>
    Object.fromEntries(stays.flatMap(({ localId }) => (localId ? [[localId, names(localId)]] : [])))
  return {
    get today() {
      return localDate(tx.now, settingsIn(tx).timeZone)
    },
    get locked() {
      return ofStays((stayId) => ports.keyedUnits(tx, stayId))
    },
    get leased() {
      return ofStays((stayId) => leasedUnits(tx, { ...sharing, stayId }))
    },
  }
}
