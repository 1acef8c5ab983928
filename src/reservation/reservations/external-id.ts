import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { type Reservation, reservation } from '../resources/reservation.ts'

/** What names a reservation: an externalId is unique per integration, because two PMSs both count from 1. */
type Named = { [Name in 'externalId' | 'integrationId']?: Reservation[Name] | undefined }

/** Returns the reservations with an externalId, of any integration. */
export function withExternalId(tx: Transaction, { externalId }: Named): Reservation[] {
  if (!externalId) return []
  return tx.select(reservation, [{ path: 'externalId', operator: 'eq', value: externalId }])
}

/** Returns whether a reservation is of the integration of another; null stands for none. */
export function isOfIntegration(row: Reservation, { integrationId }: Named): boolean {
  return (row.integrationId ?? null) === (integrationId ?? null)
}

/** Throws 409 `external-id-conflict` when another reservation of the same integration has the externalId. */
export function refuseTakenExternalId(tx: Transaction, named: Named, except?: string): void {
  const taken = withExternalId(tx, named).find((each) => each.id !== except && isOfIntegration(each, named))
  if (!taken) return
  throw new Problem('external-id-conflict', `Reservation ${taken.id} already has this externalId.`, {
    pointer: '/externalId',
    meta: { id: taken.id },
  })
}
