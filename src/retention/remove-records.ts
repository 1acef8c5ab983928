import { key } from '../access/resources/key.ts'
import { syncConflict } from '../pms/resources/sync-conflict.ts'
import { syncFact } from '../pms/resources/sync-fact.ts'
import { syncIntent } from '../pms/resources/sync-intent.ts'
import { syncOffer } from '../pms/resources/sync-offer.ts'
import { syncRecord } from '../pms/resources/sync-record.ts'
import { payment } from '../reservation/resources/payment.ts'
import { reservation } from '../reservation/resources/reservation.ts'
import { staysOf } from '../reservation/stays/find-stays.ts'
import { removeStay } from '../reservation/stays/write-stay.ts'
import { command, type Transaction } from '../resource/command.ts'
import type { Resource } from '../resource/resource.ts'
import { dayOf, inSlice, type Slice, type Sliced } from '../resource/slice.ts'
import { removeKey } from './remove-keys.ts'

/**
 * All stays of the reservation ended before a given day, none of their keys may still open a door, and no registration of a guest is
 * kept.
 */
const isOver = `coalesce(departure, '') < ? AND createdAt < ?
  AND NOT EXISTS (SELECT 1 FROM stay WHERE stay.reservationId = reservation.rid AND (stay.endDate >= ? OR stay.status = 'InHouse'))
  AND NOT EXISTS (SELECT 1 FROM registration JOIN stay ON stay.rid = registration.stayId WHERE stay.reservationId = reservation.rid)
  AND NOT EXISTS (SELECT 1 FROM key JOIN stay ON stay.rid = key.stayId WHERE stay.reservationId = reservation.rid
    AND ((key.proof IS NULL AND key.status <> 'failed') OR EXISTS (
      SELECT 1 FROM key AS other WHERE other.supersededById = key.rid AND other.stayId IS NOT key.stayId)))`

/**
 * The command for one slice of reservations: it deletes those that departed before a given time, with all
 * their data. The deletion is not sent to a PMS.
 */
export const removeOldRecords = command('retention/records', (tx, slice: Slice): Sliced => {
  const values = [dayOf(slice.before), slice.before, dayOf(slice.before)]
  return inSlice(tx, { table: reservation.table, condition: isOver, values }, slice, removeRecord)
})

function removeRecord(tx: Transaction, id: string): void {
  for (const each of [syncOffer, syncIntent, syncFact, syncConflict, syncRecord])
    removeAll(tx, each, 'reservationId', id)
  for (const { id: stayId } of staysOf(tx, id)) {
    // A key refers to the key that superseded it, which was made later; so the earlier one is deleted first.
    for (const each of tx.select(key, [{ path: 'stayId', operator: 'eq', value: stayId }]))
      removeKey(tx, each.id)
  }
  // A refund refers to its payment, which was recorded before; so the later one is deleted first.
  for (const each of tx.select(payment, [{ path: 'reservationId', operator: 'eq', value: id }]).toReversed())
    tx.remove(payment, each.id)
  for (const each of staysOf(tx, id)) removeStay(tx, each)
  tx.remove(reservation, id)
}

function removeAll(tx: Transaction, resource: Resource, path: string, value: string): void {
  for (const { id } of tx.select(resource, [{ path, operator: 'eq', value }])) tx.remove(resource, id)
}
