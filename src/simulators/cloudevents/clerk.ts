import type { SharedReservation, SharedStay } from '../../pms/sync/shared-reservation.ts'
import type { Book, KeptReservation } from './book.ts'
import { random } from './random.ts'
import type { UnitsByType } from './units.ts'

interface ClerkOptions {
  book: Book
  units: UnitsByType
  /** Unix milliseconds. */
  now(): number
  /** The same seed and book give the same changes. */
  seed: number
}

type Deed = (stay: SharedStay, reservation: SharedReservation) => void

/** A simulated clerk at the PMS, who changes reservations at random. */
export function clerk({ book, units, now, seed }: ClerkOptions) {
  const next = random(seed)
  const among = <T>(all: readonly T[]): T | undefined => all[Math.floor(next() * all.length)]
  const types = Object.keys(units)

  const deeds: Record<string, Deed> = {
    postpones(stay) {
      const days = 1 + Math.floor(next() * 3)
      stay.startDate = dayAfter(stay.startDate, days)
      stay.endDate = dayAfter(stay.endDate, days)
    },
    prolongs(stay) {
      stay.endDate = dayAfter(stay.endDate, 1 + Math.floor(next() * 2))
    },
    corrects(stay) {
      const [guest] = stay.guests ?? []
      if (guest) guest.lastName = among(lastNames) ?? guest.lastName
    },
    reprices(stay) {
      stay.amount = { currency: 'EUR', amountWithTax: 50 + Math.floor(next() * 400) }
    },
    cancels(stay) {
      stay.status = 'Canceled'
    },
    moves(stay) {
      const code = stay.units?.[0]?.unitTypeCode ?? ''
      stay.units = [{ unitTypeCode: code, unitName: among(units[code] ?? []) ?? null }]
    },
    'checks in'(stay) {
      if (stay.startDate > today()) return
      deeds.moves?.(stay, { externalId: null, stays: [] })
      stay.status = 'InHouse'
    },
    comments(_, reservation) {
      reservation.comment = `Called at ${new Date(now()).toISOString().slice(11, 16)}.`
    },
  }

  const today = () => new Date(now()).toISOString().slice(0, 10)

  /** Makes one change. Returns it as a word, with the reservation. */
  function act(): { did: string; externalId: string } {
    const kept = among([...book.reservations.values()].filter(isOpen))
    if (!kept?.value || next() < 0.2) return { did: 'books', externalId: books().externalId }
    const value = structuredClone(kept.value)
    const stay = among(value.stays.filter(({ status }) => status === 'Confirmed')) ?? value.stays[0]
    const did = among(Object.keys(deeds)) ?? ''
    if (stay) deeds[did]?.(stay, value)
    return { did, externalId: book.put(kept.externalId, value).externalId }
  }

  /** Makes a reservation. Its id is also its confirmation number. */
  const books = () => book.make(booking)

  /** A new reservation with one stay, within two weeks. */
  function booking(confirmation: string): SharedReservation {
    const startDate = dayAfter(today(), Math.floor(next() * 14))
    const endDate = dayAfter(startDate, 1 + Math.floor(next() * 4))
    const units = [{ unitTypeCode: among(types) ?? '', unitName: null }]
    const reservationIds = [
      { type: 'Confirmation', value: confirmation },
    ] satisfies SharedStay['reservationIds']
    const [firstName = '', lastName = ''] = [among(firstNames), among(lastNames)]
    const guests = [{ role: 'PrimaryGuest', firstName, lastName }] satisfies SharedStay['guests']
    const stay = { ...blankStay, startDate, endDate, units, reservationIds, guests }
    return { ...blank, channel: 'Telephone', purpose: null, stays: [stay] }
  }

  return { act, books }
}

/** A simulated clerk at the PMS. */
export type Clerk = ReturnType<typeof clerk>

/** Empty members are null, because this PMS keeps all members. */
const blank = { externalId: null, comment: null, guestComment: null }
const blankStay = {
  ...blank,
  status: 'Confirmed',
  startTime: null,
  endTime: null,
  personCount: { adults: 1 },
  ratePlanCode: null,
  services: [],
  amount: null,
} satisfies Partial<SharedStay>

function isOpen({ value }: KeptReservation): boolean {
  return value?.stays.some(({ status }) => status === 'Confirmed') === true
}

function dayAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

const firstNames = ['Sofía', 'Jean', 'Aylin', 'Ole', 'Mónica', 'Zoë', 'Haruto', 'Björn', 'Ines', 'Łukasz']
const lastNames = [
  'García',
  'Dupont',
  'Yılmaz',
  'Nilsen',
  "O'Brien",
  'Müller',
  'Satō',
  'Åberg',
  'Costa',
  'Nowak',
]
