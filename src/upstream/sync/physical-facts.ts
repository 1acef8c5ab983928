import { localDate } from '../../host/zone.ts'
import { settingsIn } from '../../reservation/resources/settings.ts'
import type { Transaction } from '../../resource/change.ts'
import type { PhysicalFacts } from './merge-stay.ts'
import type { SharedReservation } from './shared-reservation.ts'
import type { Sharing, SyncParts } from './sync-changes.ts'

const keyedSql = `SELECT json_group_array(key.unitName) FROM key
  WHERE key.stayId = (SELECT rid FROM stay WHERE id = unhex(replace(?, '-', '')))
    AND key.status IN ('live', 'pendingWrite', 'unknown')`

/** What has happened in the house, asked for when a merge wants to know it. */
export function physicalFacts(
  tx: Transaction,
  sharing: Sharing,
  { stays }: SharedReservation,
  leasedUnits: SyncParts['leasedUnits'],
): PhysicalFacts {
  const ofStays = (names: (stayId: string) => readonly string[]) =>
    Object.fromEntries(stays.flatMap(({ localId }) => (localId ? [[localId, names(localId)]] : [])))
  return {
    get today() {
      return localDate(tx.now, settingsIn(tx).timeZone)
    },
    get locked() {
      return ofStays((stayId) => JSON.parse(tx.text(keyedSql, stayId) ?? '[]') as string[])
    },
    get leased() {
      return ofStays((stayId) => leasedUnits(tx, { ...sharing, stayId }))
    },
  }
}
