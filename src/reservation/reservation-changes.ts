import { completed } from '../resource/attributes.ts'
import { change, type Document, type Transaction } from '../resource/change.ts'
import { expectRevision, type Written } from '../resource/plain-changes.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { refuseOverbooking } from './availability-guard.ts'
import type { StayRights } from './check-in-rights.ts'
import { staysOf } from './find-stays.ts'
import { invalidValue } from './invalid-value.ts'
import { datesOf, refreshReservation, summaryOf } from './refresh-reservation.ts'
import { replaceStays } from './replace-stays.ts'
import { type Reservation, reservation } from './resources/reservation.ts'
import { type Stay, stay } from './resources/stay.ts'
import type { StayChanges } from './stay-changes.ts'
import { insertStay, type StayInput } from './stay-update.ts'
import { underPointer } from './under-pointer.ts'

type ReservationRow = Attributes<typeof reservation.fields>

export interface ReservationInput {
  attributes: Record<string, unknown>
  /** What a body says of it, which follows from the stays. */
  status?: string
  stays?: StayInput[]
}

interface OneReservation {
  id: string
  revision?: number | undefined
}

/** The changes of whole reservations, with their stays. */
export function reservationChanges({ followers }: Pick<StayChanges, 'followers'>) {
  const createReservation = change(
    'create-reservation',
    (tx, { attributes, stays = [], source }: ReservationInput & { source: string }): Document => {
      refuseTakenExternalId(tx, attributes)
      // The dates are indexed: written once, they cost one page of the index and not two.
      const dates = datesOf(stays as unknown as Stay[])
      const { id } = tx.insert(reservation, {
        ...attributes,
        ...dates,
        status: 'Tentative',
        source,
        paid: 0,
      } as ReservationRow)
      const rows = stays.map((each, index) => underPointer(`/stays/${index}`, () => insertStay(tx, id, each)))
      if (isSoldHere(source)) {
        refuseOverbooking(
          tx,
          [],
          rows.map((row, index) => ({ stay: row, at: `/stays/${index}` })),
        )
      }
      if (rows.length > 0) tx.patch(reservation, id, summaryOf(tx, rows))
      return tx.document(reservation, id)
    },
  )

  const replaceReservation = change(
    'replace-reservation',
    (
      tx,
      input: ReservationInput &
        OneReservation & {
          /** The whole reservation, or some of its fields. */
          whole: boolean
          rights: StayRights
        },
    ): Written => {
      const { id, ...before } = reservationOf(tx, input)
      const attributes = input.whole ? completed(reservation.fields, input.attributes) : input.attributes
      refuseTakenExternalId(tx, { ...before, ...attributes }, id)
      tx.patch(reservation, id, attributes as Partial<ReservationRow>)
      if (input.stays) replaceStays(tx, id, input.stays, { rights: input.rights, followers })
      refreshReservation(tx, id)
      const { revision, status } = tx.find(reservation, id)
      refuseStatusOfItsOwn(input.status, [before.status, status])
      return { id, revision }
    },
  )

  const removeReservation = change('remove-reservation', (tx, input: OneReservation) => {
    const { id } = reservationOf(tx, input)
    for (const each of staysOf(tx, id)) tx.remove(stay, each.id)
    tx.remove(reservation, id)
    return null
  })

  return {
    createReservation,
    replaceReservation,
    removeReservation,
    all: [createReservation, replaceReservation, removeReservation],
  }
}

export type ReservationChanges = ReturnType<typeof reservationChanges>

function reservationOf(tx: Transaction, { id, revision }: OneReservation): Reservation {
  expectRevision(tx, reservation, { type: 'reservation', id, revision })
  return tx.find(reservation, id)
}

/** What a PMS tells and what is imported has happened, whether or not there is a unit for it. */
function isSoldHere(source: string): boolean {
  return source !== 'Pms' && source !== 'Import'
}

/** Who sends the status that he read, or the one it takes, means no harm; who sends another would believe it was set. */
function refuseStatusOfItsOwn(given: string | undefined, known: readonly unknown[]): void {
  if (given === undefined || known.includes(given)) return
  const detail = 'The status of a reservation follows from its stays: set theirs.'
  throw invalidValue('/status', detail, { status: known.at(-1) })
}

/** An externalId is unique within its integration. */
function refuseTakenExternalId(tx: Transaction, attributes: Record<string, unknown>, except?: string): void {
  const { externalId, integrationId } = attributes as { externalId?: string; integrationId?: string }
  if (!externalId) return
  const same = tx.select(reservation, [{ path: 'externalId', operator: 'eq', value: externalId }])
  const taken = same.find(
    (each) => each.id !== except && (each.integrationId ?? null) === (integrationId ?? null),
  )
  if (taken) {
    throw new Problem('external-id-conflict', `Reservation ${taken.id} has this externalId.`, {
      pointer: '/externalId',
      meta: { id: taken.id },
    })
  }
}
