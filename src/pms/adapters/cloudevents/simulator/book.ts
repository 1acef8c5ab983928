import type { SharedReservation } from '../../../sync/shared-reservation.ts'
import type { Message } from '../messages/envelope.ts'
import type { HousekeepingChanged, LeaseChanged, WireAnswer } from '../messages/message-data.ts'

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
  /** Part of each cursor, so that one of another book is told from ours. */
  name: string
}

/** Changes that are kept. */
const mostKept = 100_000

interface Entry {
  /** From 1 on, in the order of the changes. */
  number: number
  message: Message
}

/** What the PMS has: reservations by revision, and the log of every change, each with its place. */
export function book({ now, name }: BookOptions) {
  const reservations = new Map<string, KeptReservation>()
  const leases = new Map<string, LeaseChanged>()
  /** By the id of the offer: an offer told again is answered as before. */
  const answers = new Map<string, WireAnswer>()
  /** The house's ids of what it made, with ours. */
  const byLocalId = new Map<string, string>()
  let log: Entry[] = []
  const listeners = new Set<(message: Message) => void>()
  let count = 0
  /** Up to this number only what is so still is kept. */
  let forgotten = 0
  let made = 0

  /** The cursor after the change of a number; the first has 1. */
  const cursorAt = (number: number) => `${name}.${String(number).padStart(20, '0')}`

  function tell(type: string, subject: string, data: object): void {
    const number = ++count
    const message: Message = {
      specversion: '1.0',
      id: `${name}-${number}`,
      source: `urn:pms:${name}`,
      type,
      subject,
      time: new Date(now()).toISOString(),
      datacontenttype: 'application/json',
      sequence: cursorAt(number),
      previous: number === 1 ? null : cursorAt(number - 1),
      data,
    }
    log.push({ number, message })
    if (log.length > mostKept) forget(number - mostKept / 2)
    for (const listener of listeners) listener(message)
  }

  /** Keeps a reservation in its next revision, and tells of it. */
  function put(externalId: string, value: SharedReservation): KeptReservation {
    const revision = (reservations.get(externalId)?.revision ?? 0) + 1
    const named = structuredClone({ ...value, externalId })
    for (const [at, stay] of named.stays.entries()) stay.externalId ??= `${externalId}-${at + 1}`
    const kept = { externalId, revision, changedAt: now(), value: named }
    reservations.set(externalId, kept)
    if (value.localId) byLocalId.set(value.localId, externalId)
    tell('pms.reservation.changed', `reservations/${externalId}`, {
      externalId,
      revision,
      changedAt: new Date(kept.changedAt).toISOString(),
      reservation: named,
    })
    return kept
  }

  /** Keeps a reservation that is new here, under a name of ours; what is given may want to know the name. */
  function make(value: SharedReservation | ((externalId: string) => SharedReservation)): KeptReservation {
    const externalId = `${name.toUpperCase()}-${++made}`
    return put(externalId, typeof value === 'function' ? value(externalId) : value)
  }

  function remove(externalId: string): void {
    const before = reservations.get(externalId)
    if (!before) return
    const kept = { externalId, revision: before.revision + 1, changedAt: now(), value: null }
    reservations.set(externalId, kept)
    const { revision, changedAt } = kept
    tell('pms.reservation.deleted', `reservations/${externalId}`, {
      externalId,
      revision,
      changedAt: new Date(changedAt).toISOString(),
    })
  }

  /** Lends units, or takes a lease back by lending none. */
  function lend(lease: Omit<LeaseChanged, 'revision'>): LeaseChanged {
    const kept = { ...lease, revision: (leases.get(lease.leaseId)?.revision ?? 0) + 1 }
    leases.set(lease.leaseId, kept)
    tell('pms.lease.changed', `leases/${lease.leaseId}`, kept)
    return kept
  }

  function clean(housekeeping: HousekeepingChanged): void {
    tell('pms.housekeeping.changed', `units/${housekeeping.unitName}`, housekeeping)
  }

  /** Keeps of the changes up to a number only what is so still: cursors before it are over. */
  function forget(upTo: number): void {
    forgotten = upTo
    log = log.filter((entry) => entry.number > upTo || isOfNow(entry.message))
  }

  /** What changed after a cursor; without one what is not over, in its last revision. Null: the cursor is over. */
  function changesAfter(cursor: string | null, limit: number) {
    const place = cursor === null ? { isFull: true, number: 0 } : placeIn(cursor)
    if (!place || place.number > count || (!place.isFull && place.number < forgotten)) return null
    const { isFull } = place
    const all = log.filter(({ number, message }) => number > place.number && (!isFull || isOfNow(message)))
    const changes = all.slice(0, limit)
    const more = all.length > limit
    const last = changes.at(-1)?.number ?? 0
    const next = more && isFull ? `${name}.full.${last}` : cursorAt(more ? last : count)
    return { changes: changes.map(({ message }) => message), cursor: next, more }
  }

  function placeIn(cursor: string): { isFull: boolean; number: number } | null {
    const [, of, full, digits = ''] = /^(.*?)\.(full\.)?(\d+)$/.exec(cursor) ?? []
    return of === name ? { isFull: full !== undefined, number: Number(digits) } : null
  }

  function isOfNow({ data }: Message): boolean {
    const { externalId, revision, leaseId } = data as Partial<KeptReservation & LeaseChanged>
    if (leaseId !== undefined) return leases.get(leaseId)?.revision === revision
    if (externalId === undefined) return true
    const kept = reservations.get(externalId)
    if (kept?.revision !== revision) return false
    const today = new Date(now()).toISOString().slice(0, 10)
    return kept?.value === null || kept?.value?.stays.some(({ endDate }) => endDate >= today) === true
  }

  /** Tells of each change as it happens, until the returned function is called. */
  function onChange(listener: (message: Message) => void): () => void {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  return {
    reservations,
    leases,
    answers,
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
