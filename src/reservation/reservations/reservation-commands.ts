import { completed } from '../../resource/attributes.ts'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Reservation, type ReservationInput, reservation } from '../resources/reservation.ts'
import { staysOf } from '../stays/find-stays.ts'
import { refuseWhileBeingPaid } from '../stays/kept-stay.ts'
import { datesOf, refreshReservation, summaryOf } from '../stays/refresh-reservation.ts'
import { replaceStays } from '../stays/replace-stays.ts'
import { deskPolicy, type StayPorts } from '../stays/stay-policy.ts'
import { allRights, type StayRights } from '../stays/stay-rights.ts'
import { removeStay, writeStays } from '../stays/write-stay.ts'
import { refuseTakenExternalId } from './external-id.ts'
import { reservationImport } from './import-reservation.ts'

interface OneReservation {
  id: string
  revision?: number | undefined
}

type CreateInput = ReservationInput & { source: NonNullable<Reservation['source']> }

/** `whole` is true when the attributes are the whole reservation, false when they are some of its fields. */
type ReplaceInput = ReservationInput & OneReservation & { whole: boolean; rights: StayRights }

/** The commands that write whole reservations with their stays. */
export function reservationCommands(ports: StayPorts) {
  const createReservation = command('create-reservation', (tx, input: CreateInput): Document => {
    const { attributes, stays = [], source } = input
    refuseTakenExternalId(tx, attributes)
    // The dates are indexed. Writing them once, with the insert, touches one index page instead of two.
    const dates = datesOf(stays)
    const { id } = tx.insert(reservation, { ...attributes, ...dates, status: 'Tentative', source, paid: 0 })
    const writes = stays.map((each, index) => ({
      reservationId: id,
      before: null,
      input: each,
      at: `/stays/${index}`,
    }))
    const policy = deskPolicy(ports, { ...allRights, overbook: !isSoldHere(source) })
    const rows = writeStays(tx, [], writes, policy)
    if (rows.length > 0) tx.patch(reservation, id, summaryOf(rows, rows))
    return tx.document(reservation, id)
  })

  const replaceReservation = command('replace-reservation', (tx, input: ReplaceInput): Written => {
    const { id, ...before } = reservationOf(tx, input)
    const attributes = input.whole ? completed(reservation.fields, input.attributes) : input.attributes
    refuseTakenExternalId(tx, { ...before, ...attributes }, id)
    tx.patch(reservation, id, attributes)
    if (input.stays) replaceStays(tx, id, input.stays, deskPolicy(ports, input.rights))
    refreshReservation(tx, id)
    const { revision, status } = tx.find(reservation, id)
    refuseStatusOfItsOwn(input.status, [before.status, status])
    return { id, revision }
  })

  const removeReservation = command('remove-reservation', (tx, input: OneReservation) => {
    const { id } = reservationOf(tx, input)
    for (const each of staysOf(tx, id)) {
      refuseWhileBeingPaid(tx, each.id, ports)
      removeStay(tx, each)
    }
    tx.remove(reservation, id)
    return null
  })

  const importReservation = reservationImport(ports)
  const all = [createReservation, replaceReservation, removeReservation, importReservation]
  return { createReservation, replaceReservation, removeReservation, importReservation, all }
}

export type ReservationCommands = ReturnType<typeof reservationCommands>

function reservationOf(tx: Transaction, { id, revision }: OneReservation): Reservation {
  tx.expectRevision(reservation, { id, revision })
  return tx.find(reservation, id)
}

/** Reservations from a PMS or an import exist already, even when no unit is left for them. */
function isSoldHere(source: Reservation['source']): boolean {
  return source !== 'Pms' && source !== 'Import'
}

/**
 * Accepts the status before or after the write, because a client can send back what it read. Throws 422 for any other
 * status, because the client would believe that it was set.
 */
function refuseStatusOfItsOwn(status: string | undefined, known: readonly unknown[]): void {
  if (status === undefined || known.includes(status)) return
  const detail = 'The status of a reservation is computed from its stays. Set the status of the stays.'
  throw invalidValue('/status', detail, { status: known.at(-1) })
}
