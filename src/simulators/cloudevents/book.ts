import type { Message } from '../../pms/adapters/cloudevents/messages/envelope.ts'
import type {
  HousekeepingChanged,
  LeaseChanged,
  WireAnswer,
} from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { SharedReservation } from '../../pms/sync/shared-reservation.ts'
import { changeLog } from './change-log.ts'

/** A reservation as the PMS keeps it. */
export interface KeptReservation {
  externalId: string
  revision: number
  /** Unix milliseconds. */
  changedAt: number
  /** Null: deleted. */
  value: SharedReservation | null
}

interface BookOptions {
  /** Unix milliseconds. */
  now(): number
  /** Part of each id and cursor: those of another book are recognised by it. */
  name: string
}

/** The data of a simulated PMS: reservations by revision, allotments, and the log of every change. */
export function book({ now, name }: BookOptions) {
  const reservations = new Map<string, KeptReservation>()
  const leases = new Map<string, LeaseChanged>()
  /** By the id of the offer: a repeated offer has the same answer. */
  const answers = new Map<string, WireAnswer>()
  /** How often each fact was recorded, by its id. */
  const facts = new Map<string, number>()
  /** The PMS's ids of reservations that the appliance made, by the appliance's ids. */
  const byLocalId = new Map<string, string>()
  const { append, forget, changesAfter, onChange } = changeLog({ now, name, isCurrent })
  let made = 0

  function isCurrent({ data }: Message): boolean {
    const { externalId, revision, leaseId } = data as Partial<KeptReservation & LeaseChanged>
    if (leaseId !== undefined) return leases.get(leaseId)?.revision === revision
    if (externalId === undefined) return true
    const kept = reservations.get(externalId)
    return kept !== undefined && kept.revision === revision && isOpen(kept.value, now())
  }

  /** Keeps a reservation in its next revision, and logs it. */
  function put(externalId: string, value: SharedReservation): KeptReservation {
    const revision = (reservations.get(externalId)?.revision ?? 0) + 1
    const reservation = structuredClone({ ...value, externalId })
    for (const [at, stay] of reservation.stays.entries()) stay.externalId ??= `${externalId}-${at + 1}`
    const kept = { externalId, revision, changedAt: now(), value: reservation }
    reservations.set(externalId, kept)
    if (value.localId) byLocalId.set(value.localId, externalId)
    const changedAt = new Date(kept.changedAt).toISOString()
    append('pms.reservation.changed', `reservations/${externalId}`, {
      externalId,
      revision,
      changedAt,
      reservation,
    })
    return kept
  }

  /** Keeps a new reservation under a new id of the PMS; a function receives the id. */
  function make(value: SharedReservation | ((externalId: string) => SharedReservation)): KeptReservation {
    const externalId = `${name.toUpperCase()}-${++made}`
    return put(externalId, typeof value === 'function' ? value(externalId) : value)
  }

  function remove(externalId: string): void {
    const before = reservations.get(externalId)
    if (!before) return
    const kept = { externalId, revision: before.revision + 1, changedAt: now(), value: null }
    reservations.set(externalId, kept)
    const changedAt = new Date(kept.changedAt).toISOString()
    append('pms.reservation.deleted', `reservations/${externalId}`, {
      externalId,
      revision: kept.revision,
      changedAt,
    })
  }

  /** Lends units as an allotment; without units it takes the allotment back. */
  function lend(lease: Omit<LeaseChanged, 'revision'>): LeaseChanged {
    const kept = { ...lease, revision: (leases.get(lease.leaseId)?.revision ?? 0) + 1 }
    leases.set(lease.leaseId, kept)
    append('pms.lease.changed', `leases/${lease.leaseId}`, kept)
    return kept
  }

  /** Logs a housekeeping status. */
  function clean(housekeeping: HousekeepingChanged): void {
    append('pms.housekeeping.changed', `units/${housekeeping.unitName}`, housekeeping)
  }

  return {
    reservations,
    leases,
    answers,
    facts,
    byLocalId,
    put,
    make,
    remove,
    lend,
    clean,
    forget,
    changesAfter,
    onChange,
  }
}

export type Book = ReturnType<typeof book>

/** Whether a full load contains the reservation: a deleted one, or one with a stay that ends today or later. */
function isOpen(value: SharedReservation | null, now: number): boolean {
  const today = new Date(now).toISOString().slice(0, 10)
  return value === null || value.stays.some(({ endDate }) => endDate >= today)
}
