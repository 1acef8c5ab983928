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

type Log = ReturnType<typeof changeLog>

/** The data of a simulated PMS: reservations by revision, allotments, and the log of every change. */
export class Book {
  readonly reservations = new Map<string, KeptReservation>()
  readonly leases = new Map<string, LeaseChanged>()
  /** By the id of the offer: a repeated offer has the same answer. */
  readonly answers = new Map<string, WireAnswer>()
  /** How often each fact was recorded, by its id. */
  readonly facts = new Map<string, number>()
  /** The PMS's ids of reservations that the appliance made, by the appliance's ids. */
  readonly byLocalId = new Map<string, string>()
  readonly forget: Log['forget']
  readonly changesAfter: Log['changesAfter']
  readonly onChange: Log['onChange']
  readonly #options: BookOptions
  readonly #append: Log['append']
  #made = 0

  constructor(options: BookOptions) {
    const log = changeLog({ ...options, isCurrent: (message) => this.#isCurrent(message) })
    this.#options = options
    this.#append = log.append
    this.forget = log.forget
    this.changesAfter = log.changesAfter
    this.onChange = log.onChange
  }

  #isCurrent({ data }: Message): boolean {
    const { externalId, revision, leaseId } = data as Partial<KeptReservation & LeaseChanged>
    if (leaseId !== undefined) return this.leases.get(leaseId)?.revision === revision
    if (externalId === undefined) return true
    const kept = this.reservations.get(externalId)
    return kept !== undefined && kept.revision === revision && isOpen(kept.value, this.#options.now())
  }

  /** Keeps a reservation in its next revision, null as deleted, and logs it. */
  #keep(externalId: string, value: SharedReservation | null): KeptReservation {
    const revision = (this.reservations.get(externalId)?.revision ?? 0) + 1
    const kept = { externalId, revision, changedAt: this.#options.now(), value }
    this.reservations.set(externalId, kept)
    this.#append(`pms.reservation.${value ? 'changed' : 'deleted'}`, `reservations/${externalId}`, {
      externalId,
      revision,
      changedAt: new Date(kept.changedAt).toISOString(),
      ...(value && { reservation: value }),
    })
    return kept
  }

  /** Keeps a changed reservation. */
  put(externalId: string, value: SharedReservation): KeptReservation {
    const reservation = structuredClone({ ...value, externalId })
    for (const [at, stay] of reservation.stays.entries()) stay.externalId ??= `${externalId}-${at + 1}`
    if (value.localId) this.byLocalId.set(value.localId, externalId)
    return this.#keep(externalId, reservation)
  }

  /** Keeps a new reservation under a new id of the PMS; a function receives the id. */
  make(value: SharedReservation | ((externalId: string) => SharedReservation)): KeptReservation {
    const externalId = `${this.#options.name.toUpperCase()}-${++this.#made}`
    return this.put(externalId, typeof value === 'function' ? value(externalId) : value)
  }

  /** Deletes a reservation. */
  remove(externalId: string): void {
    if (this.reservations.has(externalId)) this.#keep(externalId, null)
  }

  /** Lends units as an allotment; without units it takes the allotment back. */
  lend(lease: Omit<LeaseChanged, 'revision'>): LeaseChanged {
    const kept = { ...lease, revision: (this.leases.get(lease.leaseId)?.revision ?? 0) + 1 }
    this.leases.set(lease.leaseId, kept)
    this.#append('pms.lease.changed', `leases/${lease.leaseId}`, kept)
    return kept
  }

  /** Logs a housekeeping status. */
  clean(housekeeping: HousekeepingChanged): void {
    this.#append('pms.housekeeping.changed', `units/${housekeeping.unitName}`, housekeeping)
  }
}

/** Whether a full load contains the reservation: a deleted one, or one with a stay that ends today or later. */
function isOpen(value: SharedReservation | null, now: number): boolean {
  const today = new Date(now).toISOString().slice(0, 10)
  return value === null || value.stays.some(({ endDate }) => endDate >= today)
}
