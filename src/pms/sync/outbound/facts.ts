import type { Transaction } from '../../../resource/command.ts'
import { type SyncFact, syncFact } from '../../resources/sync-fact.ts'
import type { StepResult } from '../../sync-contract.ts'
import { same } from '../merge/same.ts'
import type { SharedPayment, SharedReservation } from '../shared-reservation.ts'

type Kind = SyncFact['kind']

/** Writes down that a payment of a reservation was taken or voided here, for the PMS. */
export function noteFact(tx: Transaction, reservationId: string, paymentId: string, kind: Kind): void {
  tx.insert(syncFact, { reservationId, paymentId, kind, since: tx.now })
}

/** What the PMS has not recorded of the payments of a reservation, the oldest first. */
export function factsOf(tx: Transaction, reservationId: string): SyncFact[] {
  return tx.rows(syncFact, 'reservationId = +?', reservationId)
}

/** The id of a fact in messages: that of the payment, or of its void. */
export function factId({ paymentId, kind }: Pick<SyncFact, 'paymentId' | 'kind'>): string {
  return kind === 'void' ? `${paymentId}.void` : paymentId
}

/** Removes the facts of a message that the PMS has answered. A refused one stays with its reason, an unknown one stays open. */
export function finishFacts(
  tx: Transaction,
  reservationId: string,
  ids: readonly string[],
  results: ReadonlyMap<string, StepResult>,
): void {
  for (const row of factsOf(tx, reservationId)) {
    const id = factId(row)
    const result = results.get(id)
    if (!ids.includes(id) || result?.is === 'unknown') continue
    if (result?.is === 'refused') tx.patch(syncFact, row.id, { refused: result.reason.slice(0, 1_000) })
    else tx.remove(syncFact, row.id)
  }
}

/**
 * Writes down the payments that a PMS does not have, of a reservation whose payments were not written down when they were taken:
 * it was not shared then, or by a program that compared the lists.
 */
export function adoptPayments(
  tx: Transaction,
  reservationId: string,
  known: SharedReservation['payments'],
  here: SharedReservation['payments'],
): void {
  for (const { id } of factsOf(tx, reservationId)) tx.remove(syncFact, id)
  for (const { id, kind } of paymentsBetween(known, here)) noteFact(tx, reservationId, id, kind)
}

/** What was taken and voided here that the PMS does not have. */
export function paymentsBetween(
  known: SharedReservation['payments'] = [],
  here: SharedReservation['payments'] = [],
): { id: string; kind: Kind }[] {
  return here.flatMap(({ id, voidedAt }) => {
    const has: SharedPayment | undefined = known.find((each) => each.id === id)
    const isNew = has ? [] : [{ id, kind: 'payment' as const }]
    return voidedAt && !same(has?.voidedAt, voidedAt) ? [...isNew, { id, kind: 'void' as const }] : isNew
  })
}
