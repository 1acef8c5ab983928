import { completed } from '../resource/attributes.ts'
import { change, type Document, type Transaction } from '../resource/change.ts'
import { expectRevision, type Written } from '../resource/plain-changes.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { refreshReservation, summaryOf } from './refresh-reservation.ts'
import { reservation } from './resources/reservation.ts'
import { type Stay, stay } from './resources/stay.ts'
import { insertStay, type StayChanges, type StayInput } from './stay-changes.ts'

type ReservationRow = Attributes<typeof reservation.fields>

export interface ReservationInput {
  attributes: Record<string, unknown>
  stays?: StayInput[]
}

/** The changes of whole reservations, with their stays. */
export function reservationChanges({ applyToStay }: StayChanges) {
  const createReservation = change(
    'create-reservation',
    (tx, input: ReservationInput & { source: string }): Document => {
      refuseTakenExternalId(tx, input.attributes)
      const { id } = tx.insert(reservation, {
        ...input.attributes,
        status: 'Tentative',
        source: input.source,
      } as ReservationRow)
      const stays = (input.stays ?? []).map((each, index) => within(index, () => insertStay(tx, id, each)))
      if (stays.length > 0) tx.patch(reservation, id, summaryOf(tx, stays, 0))
      return tx.document(reservation, id)
    },
  )

  const replaceReservation = change(
    'replace-reservation',
    (
      tx,
      input: ReservationInput & {
        id: string
        whole: boolean
        canReinstate: boolean
        revision?: number | undefined
      },
    ): Written => {
      expectRevision(tx, reservation, { type: 'reservation', id: input.id, revision: input.revision })
      const before = tx.find(reservation, input.id)
      const attributes = input.whole ? completed(reservation.fields, input.attributes) : input.attributes
      refuseTakenExternalId(tx, attributes, before.id)
      tx.patch(reservation, before.id, attributes as Partial<ReservationRow>)
      if (input.stays) replaceStays(tx, before.id, input.stays, input)
      refreshReservation(tx, before.id)
      return { id: before.id, revision: tx.find(reservation, before.id).revision }
    },
  )

  const removeReservation = change(
    'remove-reservation',
    (tx, input: { id: string; revision?: number | undefined }) => {
      expectRevision(tx, reservation, { type: 'reservation', id: input.id, revision: input.revision })
      const { id } = tx.find(reservation, input.id)
      for (const each of staysOf(tx, id)) {
        if (each.status === 'InHouse') {
          throw new Problem('resource-referenced', 'A guest of this reservation is in house.', {
            meta: { stayId: each.id },
          })
        }
        tx.remove(stay, each.id)
      }
      tx.remove(reservation, id)
      return null
    },
  )

  /** Each given stay is matched by id, then externalId, then dates and unit type; the rest of the old ones end. */
  function replaceStays(
    tx: Transaction,
    id: string,
    given: StayInput[],
    how: { canReinstate: boolean },
  ): void {
    const unmatched = staysOf(tx, id)
    for (const [index, each] of given.entries()) {
      const old = takeMatch(unmatched, each)
      within(index, () =>
        old ? applyToStay(tx, old, each, { ...how, whole: true }) : insertStay(tx, id, each),
      )
    }
    for (const old of unmatched) endStay(tx, old)
  }

  /** A stay that ever had a key is canceled and kept; any other goes. */
  function endStay(tx: Transaction, old: Stay): void {
    const keys = tx.count(
      `SELECT count(*) FROM key WHERE stayId = (SELECT rid FROM stay WHERE id = unhex(replace(?, '-', '')))`,
      old.id,
    )
    if (keys === 0 && old.status !== 'InHouse') tx.remove(stay, old.id)
    else applyToStay(tx, old, { status: 'Canceled' }, { whole: false, canReinstate: false })
  }

  return {
    createReservation,
    replaceReservation,
    removeReservation,
    all: [createReservation, replaceReservation, removeReservation],
  }
}

export type ReservationChanges = ReturnType<typeof reservationChanges>

function staysOf(tx: Transaction, id: string): Stay[] {
  return tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: id }]) as Stay[]
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

function takeMatch(unmatched: Stay[], given: StayInput): Stay | undefined {
  const sameId = (old: Stay) => old.id === given.id
  const sameExternalId = (old: Stay) => Boolean(given.externalId) && old.externalId === given.externalId
  const sameDates = (old: Stay) =>
    old.startDate === given.startDate &&
    old.units[0]?.unitTypeId === (given.units as { unitTypeId: string }[] | undefined)?.[0]?.unitTypeId
  for (const matches of [sameId, sameExternalId, sameDates]) {
    const index = unmatched.findIndex(matches)
    if (index >= 0) return unmatched.splice(index, 1)[0]
  }
  return undefined
}

/** Problems of one stay point into that stay. */
function within<T>(index: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem && error.options.pointer !== undefined) {
      error.options.pointer = `/stays/${index}${error.options.pointer}`
    }
    throw error
  }
}
