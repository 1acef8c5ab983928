/** The status of a room, and whether a guest is in it. */
export interface SimulatedRoom {
  roomType: string
  status: 'Clean' | 'Dirty' | 'Pickup' | 'Inspected' | 'OutOfOrder' | 'OutOfService'
}

export interface SimulatedProfile {
  id: string
  givenName: string
  surname: string
  email?: string
  phoneNumber?: string
  birthDate?: string
  language?: string
  nationality?: string
}

/** A reservation as the simulated property keeps it. */
export interface SimulatedStay {
  id: string
  confirmation: string
  status: 'Reserved' | 'InHouse' | 'CheckedOut' | 'Cancelled' | 'NoShow'
  arrival: string
  departure: string
  /** HH:MM; midnight where no time is known. */
  arrivalTime: string
  departureTime: string
  roomType: string
  roomId: string | null
  rooms: number
  adults: number
  children: number
  ratePlanCode: string
  channel: string | null
  /** Ids of profiles; the first one's is the owner. */
  guests: string[]
  comments: string[]
  /** Unix milliseconds of the last change. */
  modifiedAt: number
  /** The price of the stay, minor units. */
  total: number
  /** Minor units that are still to be paid. */
  balance: number
  hasFolio: boolean
}

export interface SimulatedPayment {
  transactionNo: number
  stayId: string
  method: string
  /** Minor units. */
  amount: number
  reference: string
}

/** What the simulated property keeps. */
export interface Bookings {
  stays: Map<string, SimulatedStay>
  profiles: Map<string, SimulatedProfile>
  rooms: Map<string, SimulatedRoom>
  payments: SimulatedPayment[]
  /** The codes of the methods of payment, and of the reasons for a cancellation. */
  codes: { payment: Set<string>; cancellation: Set<string> }
  /** True: a list of one item is written as that item, as some of the published examples have it. */
  writesSingles: boolean
  /** Ids of cashiers that may post. */
  cashiers: Set<number>
  /** By whose clock it writes the times of changes. */
  timeZone: string
  /** YYYY-MM-DD: the business date, which the end of day moves on. */
  businessDate: string
  /** Makes a reservation, and returns its id. */
  book(over?: Partial<SimulatedStay> & { surname?: string; givenName?: string }): string
  /** Changes a reservation, and the time of its last change. */
  change(id: string, over: Partial<SimulatedStay>): void
  /** Called after each change. */
  changed(stay: SimulatedStay): void
  now(): number
}

interface BookingOptions {
  /** Unix milliseconds: the time of OPERA advances from here by a second with each change. */
  startMs: number
  /** The clock of OPERA instead. */
  now?(): number
}

const stepMs = 1_000
const dayMs = 86_400_000
const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** A property without rooms and reservations. */
export function bookings({ startMs, now }: BookingOptions): Bookings {
  let clock = startMs
  const moment = () => {
    clock = now ? Math.max(clock + stepMs, now()) : clock + stepMs
    return clock
  }
  let lastId = 40_000
  const house: Bookings = {
    stays: new Map(),
    profiles: new Map(),
    rooms: new Map(),
    payments: [],
    codes: { payment: new Set(['CA', 'VI']), cancellation: new Set(['HOTEL']) },
    writesSingles: false,
    cashiers: new Set([9]),
    timeZone: 'UTC',
    businessDate: dateOf(startMs),
    book({ surname = 'García', givenName = 'Sofía', ...over } = {}) {
      lastId++
      const profile = { id: `P${lastId}`, givenName, surname, language: 'es', nationality: 'ES' }
      house.profiles.set(profile.id, profile)
      const stay: SimulatedStay = {
        id: String(lastId),
        confirmation: `C${lastId}`,
        status: 'Reserved',
        arrival: dateOf(startMs),
        departure: dateOf(startMs + 2 * dayMs),
        arrivalTime: '15:00',
        departureTime: '00:00',
        roomType: 'DBL',
        roomId: null,
        rooms: 1,
        adults: 2,
        children: 0,
        ratePlanCode: 'RACK',
        channel: null,
        guests: [profile.id],
        comments: [],
        modifiedAt: moment(),
        total: 20_000,
        balance: 0,
        hasFolio: false,
        ...over,
      }
      house.stays.set(stay.id, stay)
      house.changed(stay)
      return stay.id
    },
    change(id, over) {
      const stay = house.stays.get(id)
      if (!stay) return
      Object.assign(stay, over, { modifiedAt: moment() })
      house.changed(stay)
    },
    changed() {},
    now: () => now?.() ?? clock + stepMs / 2,
  }
  return house
}
