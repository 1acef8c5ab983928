import { localDate, localTime } from '../../host/zone.ts'
import type { Bookings, SimulatedProfile, SimulatedStay } from './bookings.ts'
import { type Asked, type Body, type Operation, refusal } from './gateway.ts'

const one = '/rsv/v1/hotels/{hotelId}/reservations/{reservationId}'

/** Reservations and profiles. */
export function reservations(house: Bookings): Record<string, Operation> {
  return {
    'GET /rsv/v1/hotels/{hotelId}/reservations': ({ ids, query }) => {
      const found = [...house.stays.values()].filter((stay) => matches(stay, query, house))
      const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)]
      const page = found.slice(offset, offset + limit)
      if (page.length === 0) return [204]
      const all = page.map((stay) => informationOf(stay, ids.hotelId ?? '', house))
      const reservationInfo = house.writesSingles && all.length === 1 ? all[0] : all
      const count = { count: page.length, totalResults: found.length, limit, offset }
      return [
        200,
        { reservations: { reservationInfo, ...count, hasMore: offset + page.length < found.length } },
      ]
    },

    [`PUT ${one}`]: onStay(house, (stay, { body }) => {
      const [wanted] = (body.reservations as Body[] | undefined) ?? []
      const { arrivalDate = stay.arrival, departureDate = stay.departure } = (wanted?.roomStay ??
        {}) as Record<string, string>
      if (stay.status === 'InHouse' && arrivalDate !== stay.arrival)
        return refusal('RSV00120', 'The arrival date of a guest in house cannot be changed.')
      if (!['Reserved', 'InHouse'].includes(stay.status))
        return refusal('RSV00121', `The reservation is ${stay.status}.`)
      if (departureDate < house.businessDate || departureDate <= arrivalDate)
        return refusal('RSV00122', 'The departure date is not possible.')
      const times =
        (wanted?.roomStay as { expectedTimes?: Record<string, string> } | undefined)?.expectedTimes ?? {}
      const { reservationExpectedArrivalTime: comes, reservationExpectedDepartureTime: goes } = times
      house.change(stay.id, {
        arrival: arrivalDate,
        departure: departureDate,
        ...(comes && { arrivalTime: comes.slice(11, 16) }),
        ...(goes && { departureTime: goes.slice(11, 16) }),
      })
      return [200, {}]
    }),

    [`POST ${one}/cancellations`]: onStay(house, (stay, { body }) => {
      const { code = '' } = (body.reason ?? {}) as { code?: string }
      if (!house.codes.cancellation.has(code))
        return refusal('RSV00130', `The cancellation reason ${code} is not valid.`)
      if (stay.status !== 'Reserved') return refusal('RSV00131', `The reservation is ${stay.status}.`)
      house.change(stay.id, { status: 'Cancelled', roomId: null })
      return [201, {}]
    }),

    'PUT /crm/v1/profiles/{profileId}': ({ ids, body }) => {
      const profile = house.profiles.get(ids.profileId ?? '')
      if (!profile) return refusal('CRM00001', 'The profile does not exist.', 404)
      const { customer, emails, telephones } = (body.profileDetails ?? {}) as Record<string, Body>
      const { personName, birthDate, nationality } = (customer ?? {}) as Record<string, unknown>
      const [name] = (personName as SimulatedProfile[] | undefined) ?? []
      const [email] = (emails?.emailInfo as { email: { emailAddress: string } }[] | undefined) ?? []
      const [phone] =
        (telephones?.telephoneInfo as { telephone: { phoneNumber: string } }[] | undefined) ?? []
      Object.assign(profile, {
        ...(name?.givenName && { givenName: name.givenName }),
        ...(name?.surname && { surname: name.surname }),
        ...(birthDate !== undefined && { birthDate }),
        ...(nationality !== undefined && { nationality }),
        ...(email && { email: email.email.emailAddress }),
        ...(phone && { phoneNumber: phone.telephone.phoneNumber }),
      })
      for (const stay of house.stays.values()) if (stay.guests.includes(profile.id)) house.change(stay.id, {})
      return [200, {}]
    },
  }
}

/** An operation on the reservation that the path names. Without one it is refused, and so it is in another status than `only`. */
export function onStay(
  house: Bookings,
  run: (stay: SimulatedStay, asked: Asked) => ReturnType<Operation>,
  only?: [status: SimulatedStay['status'], code: string],
): Operation {
  return (asked) => {
    const stay = house.stays.get(asked.ids.reservationId ?? '')
    if (!stay) return refusal('RSV00001', 'The reservation does not exist.', 404)
    if (only && stay.status !== only[0]) return refusal(only[1], `The reservation is ${stay.status}.`)
    return run(stay, asked)
  }
}

/** Whether a reservation has all that the query names. */
function matches(stay: SimulatedStay, query: URLSearchParams, { businessDate }: Bookings): boolean {
  const ids = query.getAll('reservationIdList')
  const statuses = query.getAll('reservationStatuses')
  const within = (date: string, edge: string) =>
    (query.get(`${edge}StartDate`) ?? date) <= date && date <= (query.get(`${edge}EndDate`) ?? date)
  return (
    (ids.length === 0 || ids.includes(stay.id)) &&
    (statuses.length === 0 || statuses.includes(computed(stay, businessDate))) &&
    within(stay.arrival, 'arrival') &&
    within(stay.departure, 'departure')
  )
}

function computed({ status, arrival, departure }: SimulatedStay, businessDate: string): string {
  if (status === 'Reserved' && arrival === businessDate) return 'DueIn'
  return status === 'InHouse' && departure === businessDate ? 'DueOut' : status
}

/** `2026-06-01 14:00:00.0`, as in the published examples. */
const momentOf = (time: number, zone: string) =>
  `${localDate(time, zone)} ${localTime(time, zone)}:${new Date(time).toISOString().slice(17, 19)}.0`

/** A reservation as the list has it. */
function informationOf(stay: SimulatedStay, hotelId: string, house: Bookings): Body {
  const [owner, ...others] = stay.guests.flatMap((id) => house.profiles.get(id) ?? [])
  const companions = others.map(({ id, givenName, surname }) => ({
    firstName: givenName,
    lastName: surname,
    profileIdList: [{ id, type: 'Profile' }],
  }))
  const { givenName, surname, id, email, phoneNumber, birthDate, language, nationality } = owner ?? {}
  return {
    reservationIdList: [
      { id: stay.id, type: 'Reservation' },
      { id: stay.confirmation, type: 'Confirmation' },
    ],
    roomStay: {
      arrivalDate: stay.arrival,
      departureDate: stay.departure,
      expectedTimes: {
        reservationExpectedArrivalTime: `${stay.arrival} ${stay.arrivalTime}:00.0`,
        reservationExpectedDepartureTime: `${stay.departure} ${stay.departureTime}:00.0`,
      },
      adultCount: stay.adults,
      childCount: stay.children,
      roomType: stay.roomType,
      numberOfRooms: stay.rooms,
      ...(stay.roomId && { roomId: stay.roomId }),
      ratePlanCode: stay.ratePlanCode,
      totalAmount: { amount: stay.total / 100, currencyCode: 'EUR' },
      ...(stay.channel && { bookingChannelCode: stay.channel }),
    },
    reservationGuest: {
      givenName,
      surname,
      id,
      type: 'Profile',
      language,
      email,
      phoneNumber,
      birthDate,
      ...(nationality && { nationality: { code: nationality } }),
      ...(companions.length > 0 && {
        accompanyGuests: house.writesSingles && companions.length === 1 ? companions[0] : companions,
      }),
    },
    hotelId,
    createDateTime: momentOf(stay.modifiedAt, house.timeZone),
    lastModifyDateTime: momentOf(stay.modifiedAt, house.timeZone),
    reservationStatus: stay.status,
    computedReservationStatus: computed(stay, house.businessDate),
  }
}
