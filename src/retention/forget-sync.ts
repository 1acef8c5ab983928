import { quarantinedMessage } from '../pms/resources/quarantined-message.ts'
import { roomLease } from '../pms/resources/room-lease.ts'
import { syncConflict } from '../pms/resources/sync-conflict.ts'
import { syncRecord } from '../pms/resources/sync-record.ts'
import { command } from '../resource/command.ts'
import type { Resource } from '../resource/resource.ts'
import { dayOf, inSlice, type Slice, type Sliced } from '../resource/slice.ts'
import { uuidBytes } from '../resource/uuid-sql.ts'

const reservationOf = `SELECT 1 FROM reservation WHERE reservation.id = ${uuidBytes('sync_record.reservationId')}`

/** The record has no pending change, and its reservation departed before a given day or does not exist. */
const isOver = `updatedAt < ? AND coalesce(pending, 0) = 0
  AND NOT EXISTS (${reservationOf} AND coalesce(departure, '9') >= ?)`

/**
 * The command for one slice of sync records. A record names guests, so it is deleted with the guests' own
 * data.
 */
export const forgetSyncRecords = command('retention/sync-records', (tx, slice: Slice): Sliced => {
  const rows = { table: syncRecord.table, condition: isOver, values: [slice.before, dayOf(slice.before)] }
  return inSlice(tx, rows, slice, (part, id) => part.remove(syncRecord, id))
})

/** The command for one slice of sync conflicts. */
export const forgetConflicts = removing('retention/sync-conflicts', syncConflict, 'detectedAt < ?')

/** The command for one slice of quarantined messages. */
export const forgetQuarantined = removing('retention/quarantine', quarantinedMessage, 'createdAt < ?')

/** The command for one slice of allotments: it deletes those that ended before a given day. */
export const forgetLeases = command('retention/room-leases', (tx, slice: Slice): Sliced => {
  const rows = { table: roomLease.table, condition: 'endDate < ?', values: [dayOf(slice.before)] }
  return inSlice(tx, rows, slice, (part, id) => part.remove(roomLease, id))
})

function removing(name: string, resource: Resource, condition: string) {
  return command(name, (tx, slice: Slice): Sliced => {
    const rows = { table: resource.table, condition, values: [slice.before] }
    return inSlice(tx, rows, slice, (part, id) => part.remove(resource, id))
  })
}
