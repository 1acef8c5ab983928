import { randomUUID } from 'node:crypto'
import type {
  MewsCommand,
  MewsCompanionship,
  MewsCustomer,
  MewsNote,
  MewsPayment,
  MewsReservation,
} from '../../pms/adapters/mews/records.ts'

/** A fault of the next request of an operation; it strikes once. */
export interface MewsFault {
  at: string
  /** `silence`: no answer; `cut-before`, `cut-after`: the connection ends before or after the execution; a number is a status; `null` is the JSON value. */
  does: 'silence' | 'cut-before' | 'cut-after' | 'null' | number
  message?: string
  /** Called when it strikes. */
  taken?(): void
}

/** A payment of the property, with what the documents name of an external one. */
export type SimulatedPayment = MewsPayment & {
  AccountId: string
  ReservationId: string
  Amount: { Currency: string; GrossValue: number }
}

/** A simulated property at Mews. */
export interface SimulatedMews {
  platformAddress: string
  webSocketAddress: string
  serviceId: string
  clientToken: string
  accessToken: string
  /** The rate by which reservations can be made. */
  rateId: string
  reservations: Map<string, MewsReservation>
  customers: Map<string, MewsCustomer>
  companionships: MewsCompanionship[]
  notes: MewsNote[]
  payments: SimulatedPayment[]
  /** The types of external payments that the property has enabled. */
  paymentTypes: string[]
  /** What is open on the bill of a reservation. */
  owing: Map<string, number>
  commands: (MewsCommand & { Notes?: string })[]
  /** Rooms by name; the category as its code. Inspected without a state. */
  rooms: Map<string, { id: string; category: string; state?: string; updatedUtc?: string }>
  /** Ids of categories by their codes. */
  categories: Map<string, string>
  faults: MewsFault[]
  /** The requests, in the order of arrival. */
  asked: { operation: string; body: Record<string, unknown> }[]
  /** How many requests were refused because there were too many. */
  limited: number
  /** Makes a reservation, and returns its id. */
  book(over?: Partial<MewsReservation> & { LastName?: string; FirstName?: string; room?: string }): string
  /** Changes a reservation, and the time of its last change. */
  change(id: string, over: Partial<MewsReservation>): void
  note(reservationId: string, text: string): MewsNote
  /** Sets the state of a room. */
  clean(name: string, state: string): void
  /** Orders a key at a key cutter, as a click at the front desk. Returns the id of the command. */
  order(keyCutterId: string, data: Partial<MewsCommand['Data']>): string
  /** Tells an event over the WebSocket to everybody who listens now. */
  send(event: Record<string, unknown>): void
  /** Ends all connections of the WebSocket. */
  cutSockets(): void
  categoryId(code: string): string
  /** Awaited before each answer, when set. */
  slow?: () => Promise<void>
  /** The time of Mews, Unix milliseconds; half a second after the last change without a clock. */
  now(): number
  close(): Promise<void>
}

interface PropertyOptions {
  /** Unix milliseconds: the time of Mews advances from here by a second with each change. */
  startMs: number
  /** The clock of Mews instead. */
  now?(): number
}

const stepMs = 1_000
/** The ids of the age categories. */
export const simulatedAges = {
  adult: '11111111-0000-4000-8000-000000000001',
  child: '11111111-0000-4000-8000-000000000002',
}

const access = { platformAddress: '', webSocketAddress: '', clientToken: 'CLIENT', accessToken: 'ACCESS' }

/** A property without rooms, at an address that is set when it is served. */
export function simulatedProperty({ startMs, now }: PropertyOptions): SimulatedMews {
  let clock = startMs
  const moment = () => {
    clock = now ? Math.max(clock + 1, now()) : clock + stepMs
    return new Date(clock).toISOString()
  }
  const mews: SimulatedMews = {
    ...access,
    serviceId: randomUUID(),
    rateId: randomUUID(),
    reservations: new Map(),
    customers: new Map(),
    companionships: [],
    notes: [],
    payments: [],
    paymentTypes: ['Cash', 'CreditCard'],
    owing: new Map(),
    commands: [],
    rooms: new Map(),
    categories: new Map(),
    faults: [],
    asked: [],
    limited: 0,
    book({ LastName = 'García', FirstName = 'Sofía', room, ...over } = {}) {
      const customer = { Id: randomUUID(), LastName, FirstName, LanguageCode: 'es-ES', NationalityCode: 'ES' }
      if (over.AccountId === undefined) mews.customers.set(customer.Id, customer)
      const record: MewsReservation = {
        ...newReservation({ from: startMs, category: mews.categoryId('DBL'), updatedUtc: moment() }),
        ServiceId: mews.serviceId,
        AccountId: customer.Id,
        Number: String(100 + mews.reservations.size),
        AssignedResourceId: room === undefined ? null : (mews.rooms.get(room)?.id ?? null),
        ...over,
      }
      mews.reservations.set(record.Id, record)
      return record.Id
    },
    change(id, over) {
      const record = mews.reservations.get(id)
      if (record) mews.reservations.set(id, { ...record, ...over, UpdatedUtc: moment() })
    },
    note(ServiceOrderId, Text) {
      const note = { Id: randomUUID(), ServiceOrderId, Text, Type: 'General', CreatedUtc: moment() }
      mews.notes.push(note)
      mews.change(ServiceOrderId, {})
      return note
    },
    clean(name, state) {
      const room = mews.rooms.get(name)
      if (room) mews.rooms.set(name, { ...room, state, updatedUtc: moment() })
      mews.send({ Type: 'Resource', Id: room?.id, State: state })
    },
    order(keyCutterId, data) {
      const command = keyOrder(keyCutterId, Date.parse(moment()), data)
      mews.commands.push(command)
      mews.send({ Type: 'DeviceCommand', Id: command.Id, State: command.State })
      return command.Id
    },
    send() {},
    cutSockets() {},
    categoryId(code) {
      const id = mews.categories.get(code) ?? randomUUID()
      mews.categories.set(code, id)
      return id
    },
    now: () => now?.() ?? clock + stepMs / 2,
    close: async () => {},
  }
  return mews
}

/** A confirmed reservation of two adults for two nights, by a customer who is named later. */
function newReservation({
  from,
  category,
  updatedUtc,
}: Record<'category' | 'updatedUtc', string> & { from: number }) {
  return {
    Id: randomUUID(),
    GroupId: randomUUID(),
    AccountType: 'Customer' as const,
    State: 'Confirmed' as const,
    UpdatedUtc: updatedUtc,
    ScheduledStartUtc: new Date(from).toISOString(),
    ScheduledEndUtc: new Date(from + 2 * 86_400_000).toISOString(),
    RequestedResourceCategoryId: category,
    PersonCounts: [{ AgeCategoryId: simulatedAges.adult, Count: 2 }],
  }
}

function keyOrder(keyCutterId: string, at: number, data: Partial<MewsCommand['Data']>): MewsCommand {
  return {
    Id: randomUUID(),
    State: 'Pending',
    CreatedUtc: new Date(at).toISOString(),
    Device: { Id: randomUUID(), Name: keyCutterId, Type: 'KeyCutter' },
    Data: {
      KeyCutterId: keyCutterId,
      StartUtc: new Date(at).toISOString(),
      EndUtc: new Date(at + 86_400_000).toISOString(),
      KeyCount: 1,
      LockIds: [],
      ...data,
    },
  }
}
