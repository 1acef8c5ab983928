import type { Transaction } from '../../../resource/command.ts'
import { uuidBytes } from '../../../resource/uuid-sql.ts'
import { type SyncOffer, syncOffer } from '../../resources/sync-offer.ts'
import type { SyncRecord } from '../../resources/sync-record.ts'
import { differences, isSameStay, same } from '../merge/same.ts'
import type { SharedReservation } from '../shared-reservation.ts'
import type { Sharing } from '../sync-changes.ts'
import { adoptPayments } from './facts.ts'
import { noteIntentsAt } from './intents.ts'
import { outboxRow } from './outbox.ts'

/** What a program before the intents has stored of a reservation. */
interface Compared {
  /** The local values of members that the PMS has never reported, by pointers with ids. The column of a released migration. */
  unreported: string | null
  /** What the appliance stores otherwise than reported, and no person has changed. */
  differing: string | null
}

const comparedSql = `SELECT untold AS unreported, differing FROM sync_record WHERE id = ${uuidBytes()}`

/**
 * Turns the differences between the shadow and the reservation into intents, once, where a program before the intents has put it into
 * the outbox: the one before the update, or the one to which an update was taken back. Needed before the reservation is merged or
 * sent: only an intent keeps what was changed here.
 */
export function adoptDifferences(
  tx: Transaction,
  row: SyncOffer | null,
  record: SyncRecord | null,
  here: SharedReservation | null,
): void {
  if (!row || row.capturedMarks === row.marks || !record?.base || !here) return
  adopt(tx, row, { recordId: record.id, base: record.base, here })
  const { marks } = outboxRow(tx, row)!
  tx.patch(syncOffer, row.id, { capturedMarks: marks })
  row.marks = marks
}

function adopt(
  tx: Transaction,
  sharing: Sharing,
  { recordId, base, here }: { recordId: string; base: SharedReservation; here: SharedReservation },
): void {
  const [compared] = tx.all<Compared>(comparedSql, recordId)
  const unreported = JSON.parse(compared?.unreported ?? '{}') as Record<string, unknown>
  const { members } = JSON.parse(compared?.differing ?? '{"members":{}}') as { members: object }
  const reported = differences(base, here).map(({ pointer }) => pointer)
  const found = [...reported, ...neverReported(base, here, unreported)].filter(
    (pointer) => pointer !== '/payments' && !Object.hasOwn(members, pointer),
  )
  noteIntentsAt(tx, sharing, found)
  adoptPayments(tx, sharing.reservationId, base.payments, here.payments)
}

/** The members that the PMS has never reported and that are otherwise now than when both sides met. */
function neverReported(
  base: SharedReservation,
  here: SharedReservation,
  unreported: Readonly<Record<string, unknown>>,
): string[] {
  const changed = (at: string, has: object, is: object) =>
    Object.entries(is).flatMap(([name, value]) => {
      const place = `${at}/${name}`
      const isNamed = ['externalId', 'localId', 'stays', 'payments', 'guests'].includes(name)
      const isKnown = (has as Record<string, unknown>)[name] !== undefined
      return isNamed || isKnown || same(value, unreported[place] ?? null) ? [] : [place]
    })
  const ofStays = here.stays.flatMap((stay) => {
    const has = base.stays.find((each) => isSameStay(each, stay))
    return has ? changed(`/stays/${stay.localId}`, has, stay) : []
  })
  return [...changed('', base, here), ...ofStays]
}
