import { localInstant, localRange } from '../../../host/zone.ts'
import type { SharedStay } from '../../sync/shared-reservation.ts'
import type { Intent, IntentValues, Offer } from '../../sync-contract.ts'
import { type MewsCall, MewsRefusal } from './client.ts'
import type { FetchOptions } from './fetch-reservations.ts'
import { addCustomer, isPerson } from './guests.ts'
import type { Lookups } from './lookups.ts'
import { ownNote, ownText } from './notes.ts'
import type { MewsNote, MewsReservation } from './records.ts'
import { personCounts } from './updates.ts'

export interface CreationParts extends FetchOptions {
  serviceId: string
  /** The rate for reservations that are made here; null where none are made at Mews. */
  rateId: string | null
  /** The times of a stay that has none of its own, HH:MM. */
  houseTimes(): { checkInTime: string; checkOutTime: string }
}

const dayMs = 86_400_000
const noRate = 'The connection to Mews names no rate for reservations that are made here. Make it in Mews.'

/**
 * Makes reservations at Mews. A note with the id of the reservation here shows whether it was made there before, when an
 * answer was lost.
 */
export function creator(parts: Omit<CreationParts, 'lookups'> & { lookups: Lookups }) {
  const { client, serviceId, rateId, lookups } = parts
  /** The reservations of a day of arrival that were made here, by their ids here. */
  const made = new Map<string, Promise<Map<string, string>>>()

  async function madeOn(startDate: string, call: MewsCall): Promise<Map<string, string>> {
    const from = localInstant(startDate, '00:00', parts.timeZone(), 'start')
    const interval = { StartUtc: new Date(from), EndUtc: new Date(from + 2 * dayMs) }
    const found = await client.all<MewsReservation>(
      'reservations/getAll/2023-06-06',
      'Reservations',
      { ServiceIds: [serviceId], ScheduledStartUtc: interval },
      call,
    )
    if (found.length === 0) return new Map()
    const notes = await client.all<MewsNote>(
      'serviceOrderNotes/getAll',
      'ServiceOrderNotes',
      { ServiceOrderIds: found.map(({ Id }) => Id) },
      call,
    )
    const own = notes.flatMap((note) => ownNote([note]) ?? [])
    return new Map(own.map(({ note, localId }) => [localId, note.ServiceOrderId]))
  }

  async function book({ value, localId }: Offer, stay: SharedStay, call: MewsCall): Promise<string> {
    const [guest] = (stay.guests ?? []).filter(isPerson)
    if (!guest) throw new MewsRefusal(403, 'Mews makes no reservation without a guest.')
    const code = stay.units?.[0]?.unitTypeCode ?? ''
    const category = lookups.categoryId(code)
    if (category === null) throw new MewsRefusal(400, `Mews has no category ${code} in the service.`)
    const { adults = 1, children = 0 } = stay.personCount ?? {}
    const CustomerId = guest.externalId ?? (await addCustomer(client, guest, call))
    const reservation = {
      Identifier: localId,
      State: stay.status === 'Tentative' ? 'Optional' : 'Confirmed',
      ...timesOf(stay, parts),
      CustomerId,
      RequestedCategoryId: category,
      RateId: rateId,
      PersonCounts: personCounts(adults, children ?? 0, lookups),
      Notes: ownText(value.comment ?? '', localId),
    }
    const { Reservations = [] } = await client.ask<{ Reservations?: { Reservation?: { Id?: string } }[] }>(
      'reservations/add',
      {
        ServiceId: serviceId,
        SendConfirmationEmail: false,
        CheckOverbooking: true,
        Reservations: [reservation],
      },
      { ...call, changes: true },
    )
    const id = Reservations[0]?.Reservation?.Id
    if (!id) throw new MewsRefusal(400, 'Mews has made a reservation without an id.')
    return id
  }

  /** Returns the id at Mews. Rejects with a Refusal. */
  return async (offer: Offer, call: MewsCall): Promise<string> => {
    const [stay, ...others] = offer.value.stays
    if (!stay || others.length > 0) {
      throw new MewsRefusal(403, 'A reservation of Mews has one stay. Make this one in Mews.')
    }
    if (rateId === null) throw new MewsRefusal(403, noRate)
    const ofDay = made.get(stay.startDate) ?? madeOn(stay.startDate, call)
    made.set(stay.startDate, ofDay)
    return (await ofDay).get(offer.localId) ?? book(offer, stay, call)
  }
}

function timesOf(
  { startDate, startTime, endDate, endTime }: SharedStay,
  { timeZone, houseTimes }: Pick<CreationParts, 'timeZone' | 'houseTimes'>,
) {
  const { checkInTime, checkOutTime } = houseTimes()
  const zone = timeZone()
  const { startsAt, endsAt } = localRange(
    { date: startDate, time: startTime ?? checkInTime },
    { date: endDate, time: endTime ?? checkOutTime },
    zone,
  )
  return { StartUtc: new Date(startsAt).toISOString(), EndUtc: new Date(endsAt).toISOString() }
}

/** The message that brings a reservation, once it is made at Mews, to what it is here: with its room, guests and status. */
export function stepsAfterCreation(offer: Offer, externalId: string): Offer {
  const { value, localId, facts } = offer
  const intents = value.stays.flatMap((stay) => intentsOf(stay, localId))
  return { ...offer, externalId, intents, facts: facts.filter(({ is }) => is !== 'creation') }
}

function intentsOf(stay: SharedStay, localId: string): Intent[] {
  const groups: [Intent['group'], (keyof SharedStay & keyof IntentValues)[]][] = [
    ['guests', ['guests']],
    ['units', ['units']],
    ['status', ['status']],
  ]
  return groups.map(([group, members]) => ({
    id: `${localId}.${group}`,
    group,
    stayLocalId: stay.localId ?? localId,
    stayExternalId: null,
    from: {},
    to: Object.fromEntries(members.map((name) => [name, stay[name]])),
  }))
}
