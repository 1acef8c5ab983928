import type { Answer, Connection } from './connection.ts'
import type { StormHouse } from './house.ts'
import type { Ledger } from './ledger.ts'

/** A stay that somebody in the storm has booked. */
export interface Booked {
  reservationId: string
  stayId: string
  startsToday: boolean
  payments: string[]
}

/** Somebody in the storm, with one connection, and numbers of his own. */
export interface Guest {
  connection: Connection
  house: StormHouse
  ledger: Ledger
  random(): number
  name: string
  booked: Booked[]
  /** What others have booked, for who meddles with it. */
  everybodys: Booked[]
}

export const stays = 'api/v2/reservations'

export function pick<Item>({ random }: Guest, list: readonly Item[]): Item | undefined {
  return list[Math.floor(random() * list.length)]
}

/** Mostly one's own, sometimes another's. */
export function some(guest: Guest, fits: (booked: Booked) => boolean = () => true): Booked | undefined {
  const from = guest.random() < 0.8 ? guest.booked : guest.everybodys
  return pick(guest, from.filter(fits))
}

export const at = ({ reservationId, stayId }: Booked) => `/${stays}/${reservationId}/stays/${stayId}`

export function newStay(guest: Guest): Record<string, unknown> {
  const { house, random } = guest
  const first = Math.floor(random() ** 2 * (house.days.length - 2))
  const nights = 1 + Math.floor(random() * 2)
  const unitTypeId = random() < 0.15 ? house.told : pick(guest, house.booked)!
  const unitId = random() < 0.25 ? pick(guest, house.units.get(unitTypeId)!)! : null
  return {
    startDate: house.days[first],
    endDate: house.days[Math.min(first + nights, house.days.length - 1)],
    status: random() < 0.85 ? 'Confirmed' : random() < 0.5 ? 'Tentative' : 'Waitlisted',
    personCount: { adults: 1 + Math.floor(random() * 2) },
    units: [{ unitTypeId, unitId }],
    reservationIds: [],
    amount: { currency: 'EUR', amountWithTax: (1_000 + Math.floor(random() * 5_000)) / 100 },
    ...(random() < 0.3 && { services: [{ serviceId: house.serviceId, count: 1 }] }),
    ...(random() < 0.3 && { profiles: [{ firstName: guest.name, lastName: `Storm ${random()}` }] }),
  }
}

export function remember(guest: Guest, reservationId: string, stay: { id: string; startDate: string }): void {
  const startsToday = stay.startDate === guest.house.days[0]
  const booked = { reservationId, stayId: stay.id, startsToday, payments: [] }
  guest.booked.push(booked)
  guest.everybodys.push(booked)
  guest.ledger.there.set(at(booked), { startDate: stay.startDate })
}

export function forget(guest: Guest, gone: (booked: Booked) => boolean): void {
  for (const list of [guest.booked, guest.everybodys]) {
    for (let index = list.length - 1; index >= 0; index--) if (gone(list[index]!)) list.splice(index, 1)
  }
}

export async function pay(guest: Guest, booked: Booked, path: string, amount: number): Promise<Answer> {
  const payment = { currency: 'EUR', amount, brand: 'Visa' }
  const reply = await guest.connection.ask('POST', `${path}/actions/record-payment`, payment)
  if (reply.status === 201) {
    guest.ledger.paid.set(reply.body.data.id, { reservationId: booked.reservationId, amount })
    booked.payments.push(reply.body.data.id)
  }
  return reply
}
