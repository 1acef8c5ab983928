import { stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { roomLease } from '../../resources/room-lease.ts'
import type { LeaseChange } from '../../sync-contract.ts'

/** Leases that are kept of one PMS. */
const mostLeases = 10_000

/**
 * Keeps what a PMS lends, in the newest revision that it reported. Throws validation-failed for a lease that ends before it
 * starts, and for more leases than are kept.
 */
export function keepLease(
  tx: Transaction,
  configurationId: string,
  reported: LeaseChange,
): 'taken' | 'duplicate' | 'stale' {
  const { leaseId, revision, unitNames, startDate, endDate, validUntil } = reported
  if (endDate < startDate)
    throw new Problem('validation-failed', 'endDate is before startDate.', { pointer: '/endDate' })
  const attributes = {
    pmsRevision: revision,
    unitNames: [...new Set(unitNames)],
    startDate,
    endDate,
    validUntil,
  }
  const known = leaseBy(tx, configurationId, leaseId)
  if (known && known.pmsRevision > revision) return 'stale'
  if (!known) {
    expectRoom(tx, configurationId)
    tx.insert(roomLease, { configurationId, leaseId, ...attributes })
    return 'taken'
  }
  return tx.patch(roomLease, known.id, attributes).revision === known.revision ? 'duplicate' : 'taken'
}

function leaseBy(tx: Transaction, configurationId: string, leaseId: string) {
  const filters = [
    { path: 'configurationId', operator: 'eq', value: configurationId },
    { path: 'leaseId', operator: 'eq', value: leaseId },
  ] as const
  return tx.select(roomLease, [...filters], [], 1)[0]
}

function expectRoom(tx: Transaction, configurationId: string): void {
  const ofPms = `SELECT count(*) FROM room_lease
    WHERE configurationId = ${ridOf('pms_configuration')}`
  if (tx.count(ofPms, configurationId) < mostLeases) return
  throw new Problem(
    'validation-failed',
    `There are already ${mostLeases} leases of this PMS, the most allowed.`,
    {
      pointer: '/leaseId',
    },
  )
}

/** The names of a stay's units that were given away by a lease of the PMS: the PMS cannot have given them to another guest. */
export function leasedUnits(tx: Transaction, stayId: string): readonly string[] {
  return (tx.find(stay, stayId).lent ?? []).map(({ unitId }) => tx.find(unit, unitId).name)
}
