import type { SharedReservation, SharedStay } from '../../../../src/pms/sync/shared-reservation.ts'
import type { SimulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { typeCodes } from './hotel.ts'

export type Chance = () => number
export const among = <T>(next: Chance, all: readonly T[]): T => all[Math.floor(next() * all.length)]!

export function dayAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** A reservation as the PMS has it, saying everything that there is to say; `number` makes its names. */
export function booking(next: Chance, number: number, today: string): SharedReservation {
  const count = next() < 0.2 ? 2 : 1
  const stays = Array.from({ length: count }, (_, at): SharedStay => {
    const startDate = dayAfter(today, Math.floor(next() * 9))
    return {
      externalId: null,
      status: 'Confirmed',
      startDate,
      startTime: null,
      endDate: dayAfter(startDate, 1 + Math.floor(next() * 6)),
      endTime: null,
      personCount: { adults: 2, children: 0, childrenAges: null, infants: 0 },
      units: [{ unitTypeCode: typeCodes[at]!, unitName: null }],
      reservationIds: [{ type: 'Confirmation', value: `C${number}-${at}`, source: null }],
      ratePlanCode: next() < 0.5 ? 'BAR' : null,
      services: [],
      amount: next() < 0.7 ? { currency: 'EUR', amountWithTax: 100 + Math.floor(next() * 300) } : null,
      guests: [guest(next, `${number}-${at}-0`, 'PrimaryGuest')],
      comment: null,
      guestComment: null,
    }
  })
  return { externalId: null, channel: 'Telephone', purpose: null, comment: null, guestComment: null, stays }
}

function guest(next: Chance, name: string, role: 'PrimaryGuest' | 'AdditionalGuest') {
  return {
    externalId: `G${name}`,
    role,
    firstName: among(next, ['Sofía', 'Aylin', 'Łukasz', 'Zoë', 'Björn']),
    middleName: null,
    lastName: `Guest ${name}`,
    title: null,
    profileType: 'Private' as const,
    companyName: null,
    nationality: null,
    languageCode: null,
    birthDate: null,
    gender: null,
    addresses: null,
    emails: null,
    phoneNumbers: null,
  }
}

interface Scene {
  next: Chance
  today: string
  /** Which reservation it is, for units of its own. */
  number: number
  /** Counts up, so that no two deeds say the same. */
  deed: number
}

type Deed = (value: SharedReservation, stay: SharedStay, at: number, scene: Scene) => boolean | void

/** What a clerk does to a reservation of the PMS, knowing nothing of the house. False: not to this one. */
export const clerkDeeds: Record<string, Deed> = {
  prolongs(_, stay, __, { next }) {
    if (stay.status !== 'Confirmed' && stay.status !== 'InHouse') return false
    stay.endDate = dayAfter(stay.endDate, 1 + Math.floor(next() * 3))
  },
  postpones(_, stay) {
    if (stay.status !== 'Confirmed') return false
    stay.startDate = dayAfter(stay.startDate, 1)
    stay.endDate = dayAfter(stay.endDate, 1)
  },
  expects(_, stay, __, { next }) {
    stay.startTime = `${10 + Math.floor(next() * 10)}:30`
  },
  corrects(_, stay, __, { deed }) {
    stay.guests![0]!.lastName = `Of the PMS ${deed}`
  },
  writesTo(_, stay, __, { deed }) {
    stay.guests![0]!.emails = [{ address: `clerk-${deed}@example.com` }]
  },
  adds(_, stay, at, { next, number, deed }) {
    if (stay.guests!.length > 1) return false
    stay.guests!.push(guest(next, `${number}-${at}-${deed}`, 'AdditionalGuest'))
  },
  counts(_, stay, __, { next }) {
    stay.personCount = { adults: 1 + Math.floor(next() * 4), children: 0, childrenAges: null, infants: 0 }
  },
  reprices(_, stay, __, { deed }) {
    if (stay.status !== 'Confirmed') return false
    stay.amount = { currency: 'EUR', amountWithTax: 1_000 + deed }
  },
  sells(_, stay, __, { next }) {
    stay.services = [{ serviceCode: among(next, ['SPA', 'PARKING']), count: 1 + Math.floor(next() * 3) }]
  },
  notes(_, stay, __, { deed }) {
    stay.comment = `The clerk, ${deed}.`
  },
  remarks(value, _, __, { deed }) {
    value.comment = `The clerk of it all, ${deed}.`
  },
  says(value, _, __, { next }) {
    value.purpose = among(next, ['Leisure', 'Business', 'Other'])
  },
  places(_, stay, at, { number }) {
    if (stay.status !== 'Confirmed') return false
    const unitTypeCode = typeCodes[at]!
    stay.units = [{ unitTypeCode, unitName: `${unitTypeCode}-clerk-${number}` }]
  },
  checksIn(_, stay, at, { number, today }) {
    if (stay.status !== 'Confirmed' || stay.startDate > today) return false
    const unitTypeCode = typeCodes[at]!
    stay.units = [{ unitTypeCode, unitName: stay.units![0]!.unitName ?? `${unitTypeCode}-clerk-${number}` }]
    stay.status = 'InHouse'
  },
  cancels(_, stay, __, { next }) {
    if (stay.status !== 'Confirmed' || next() < 0.5) return false
    stay.status = 'Canceled'
  },
}

/** Does one thing to a reservation, and says what; null where nothing was to be done. */
export function clerkActs(pms: SimulatedPms, externalId: string, scene: Scene): string | null {
  const { next, number } = scene
  const kept = pms.book.reservations.get(externalId)
  if (!kept?.value) return null
  if (number % 9 === 5 && next() < 0.2) {
    pms.book.remove(externalId)
    return 'deletes'
  }
  const value = structuredClone(kept.value)
  const at = Math.floor(next() * value.stays.length)
  const did = among(next, Object.keys(clerkDeeds))
  if (clerkDeeds[did]!(value, value.stays[at]!, at, scene) === false) return null
  pms.book.put(externalId, value)
  return did
}
