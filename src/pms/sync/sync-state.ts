import { reservation } from '../../reservation/resources/reservation.ts'
import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import { retryRefused } from './outbound/freed-units.ts'
import type { Sharing } from './sync-changes.ts'

type Values = Partial<Attributes<typeof syncRecord.fields>>

/**
 * Stores the state of the synchronisation of a reservation, and gives its document a new revision. Where
 * a unit is free at the PMS now, what it has refused because of that is offered again.
 */
export function keepRecord(
  tx: Transaction,
  { configurationId, reservationId }: Sharing,
  record: SyncRecord | null,
  values: Values,
  { hasConflicts, isShown = false }: { hasConflicts: boolean; isShown?: boolean },
): SyncRecord {
  const pending = values.pending ?? record?.pending ?? false
  const state = hasConflicts ? 'Conflict' : pending ? 'Pending' : 'Synced'
  if (!isShown && isThere(tx, reservationId)) tx.touch(reservation, reservationId)
  const row = record
    ? tx.patch(syncRecord, record.id, { ...values, reservationId, state })
    : tx.insert(syncRecord, { integrationId: configurationId, reservationId, ...values, state })
  if (record?.base && values.base) retryRefused(tx, configurationId, record.base, values.base)
  return row
}

/** Writes down the state of a reservation after its conflicts have changed. */
export function refreshState(tx: Transaction, reservationId: string): void {
  const record = recordOf(tx, reservationId)
  if (!record) return
  const sharing = { configurationId: record.integrationId, reservationId }
  keepRecord(tx, sharing, record, {}, { hasConflicts: hasOpenConflicts(tx, reservationId) })
}

/** Whether a person has to look at one. */
export function hasOpenConflicts(tx: Transaction, reservationId: string): boolean {
  const sql = `SELECT count(*) FROM sync_conflict WHERE reservationId = +? AND state = 'open'`
  return tx.count(sql, reservationId) > 0
}

/** Whether a reservation is in the store. */
export function isThere(tx: Transaction, reservationId: string): boolean {
  return tx.revision(reservation, reservationId) !== null
}

/** Null for a reservation that is shared with no PMS. */
export function recordOf(tx: Transaction, reservationId: string): SyncRecord | null {
  const where = { path: 'reservationId', operator: 'eq', value: reservationId } as const
  return tx.select(syncRecord, [where], [], 1)[0] ?? null
}
