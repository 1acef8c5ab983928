import type { Answer } from './connection.ts'
import { at, type Booked, forget, type Guest, newStay, pay, pick, remember, some, stays } from './guest.ts'

/** One kind of request, how often it is made among all, and how it may be answered: a status, or one with a code. */
export interface Deed {
  name: string
  weight: number
  answers: readonly string[]
  /** Makes the request, and keeps what was acknowledged. Null when there is nothing to do it with. */
  act(guest: Guest): Promise<Answer | null>
}

/** A request on something booked, if there is any. */
const on =
  (
    request: (booked: Booked, guest: Guest) => Promise<Answer> | Promise<Answer | null>,
    fits?: (b: Booked) => boolean,
  ) =>
  async (guest: Guest) => {
    const booked = some(guest, fits)
    return booked ? request(booked, guest) : null
  }

const set =
  (status: string) =>
  (booked: Booked, { connection }: Guest) =>
    connection.ask('PATCH', at(booked), { status })

const queries = [
  'reservations?include=stays.units,stays.profiles&page[size]=25',
  'reservations?filter[stays.startDate][lte]=2026-06-02&filter[stays.status]=Confirmed&sort=-due,arrival',
  'reservations?filter[profile.lastName][like]=storm&sort=-createdAt&page[size]=5',
  'units?sort=-status,name&page[size]=100&include=unitType',
  'units?filter[occupied]=true',
  'unit-types',
  'payments?sort=-amount&page[size]=50',
  'profiles?sort=lastName,-firstName&page[size]=3',
  'availability/unit-types?filter[startDate]=2026-06-01&filter[endDate]=2026-06-07',
  'availability/units?filter[startDate]=2026-06-02&filter[endDate]=2026-06-03&page[size]=50',
  'status',
]

/** Refusals of a stay's dates and units. */
const taken = ['409 unit-occupied', '409 unit-blocked', '422 no-eligible-unit']
const gone = ['404 not-found']
const stayStatus = ['409 stay-status-transition', ...taken, ...gone]

export const deeds: readonly Deed[] = [
  {
    name: 'create a reservation',
    weight: 24,
    answers: ['201', ...taken],
    async act(guest) {
      const many = guest.random() < 0.15 ? 2 : 1
      const body = { externalId: `${guest.name}-${guest.booked.length}-${guest.random()}` }
      const reply = await guest.connection.ask('POST', `/${stays}`, {
        ...body,
        stays: Array.from({ length: many }, () => newStay(guest)),
      })
      if (reply.status !== 201) return reply
      const { id, attributes } = reply.body.data
      guest.ledger.there.set(`/${stays}/${id}`, body)
      for (const stay of attributes.stays) remember(guest, id, stay)
      return reply
    },
  },
  {
    name: 'add a stay',
    weight: 3,
    answers: ['201', ...taken, ...gone],
    act: on(async ({ reservationId }, guest) => {
      const reply = await guest.connection.ask('POST', `/${stays}/${reservationId}/stays`, newStay(guest))
      if (reply.status === 201) {
        const { id, attributes } = reply.body.data
        remember(guest, reservationId, { id, startDate: attributes.startDate })
      }
      return reply
    }),
  },
  {
    name: 'list',
    weight: 16,
    answers: ['200'],
    act: (guest) => guest.connection.ask('GET', `/api/v2/${pick(guest, queries)}`),
  },
  {
    name: 'read a stay',
    weight: 8,
    answers: ['200', ...gone],
    act: on((booked, { connection }) => connection.ask('GET', `${at(booked)}?include=reservation,units`)),
  },
  {
    name: 'read the units that a stay could have',
    weight: 3,
    answers: ['200', ...gone],
    act: on(({ reservationId, stayId }, { connection }) =>
      connection.ask('GET', `/api/v2/availability/reservations/${reservationId}/stays/${stayId}/units`),
    ),
  },
  {
    name: 'assign a unit',
    weight: 12,
    answers: ['200', '409 stay-status-transition', ...taken, ...gone],
    act: on((booked, { connection }) => connection.ask('POST', `${at(booked)}/unit-assignment`)),
  },
  {
    name: 'assign all units',
    weight: 3,
    answers: ['200', ...gone],
    act: on(({ reservationId }, { connection }) =>
      connection.ask('POST', `/${stays}/${reservationId}/unit-assignments`),
    ),
  },
  {
    name: 'check in',
    weight: 10,
    answers: ['204', '422 unit-required', ...stayStatus],
    act: on(set('InHouse'), ({ startsToday }) => startsToday),
  },
  {
    name: 'check out',
    weight: 2,
    answers: ['204', '422 balance-outstanding', ...stayStatus],
    act: on(set('CheckedOut'), ({ startsToday }) => startsToday),
  },
  {
    name: 'pay and check out',
    weight: 6,
    answers: ['204', '422 balance-outstanding', ...stayStatus],
    act: on(
      async (booked, guest) => {
        const { body } = await guest.connection.ask('GET', at(booked))
        const { status, outstanding } = body.data?.attributes ?? {}
        if (status !== 'InHouse') return null
        if (outstanding > 0) await pay(guest, booked, at(booked), outstanding)
        return set('CheckedOut')(booked, guest)
      },
      ({ startsToday }) => startsToday,
    ),
  },
  { name: 'cancel', weight: 3, answers: ['204', ...stayStatus], act: on(set('Canceled')) },
  {
    name: 'reinstate',
    weight: 2,
    answers: ['204', ...stayStatus],
    act: on(set('Confirmed')),
  },
  {
    name: 'comment on what was just read',
    weight: 3,
    answers: ['204', '412 revision-mismatch', ...gone],
    act: on(async (booked, { connection, name }) => {
      const { status, body } = await connection.ask('GET', at(booked))
      if (status !== 200) return null
      const { revision } = body.data.attributes
      const comment = { comment: `${name} ${revision}` }
      return connection.ask('PATCH', at(booked), comment, { 'If-Match': `"${revision}"` })
    }),
  },
  {
    name: 'pay a part of a stay',
    weight: 9,
    answers: ['201', '422 payment-exceeds-outstanding', ...gone],
    act: on((booked, guest) => pay(guest, booked, at(booked), 1 + Math.floor(guest.random() * 3_000))),
  },
  {
    name: 'pay what is outstanding',
    weight: 6,
    answers: ['201', '422 payment-amount-mismatch', '422 payment-due-unknown', ...gone],
    act: on(async (booked, guest) => {
      const path = `/${stays}/${booked.reservationId}`
      const { status, body } = await guest.connection.ask('GET', path)
      const outstanding = status === 200 ? body.data.attributes.outstanding : null
      return outstanding > 0 ? pay(guest, booked, path, outstanding) : null
    }),
  },
  {
    name: 'take a payment back',
    weight: 2,
    answers: ['204', ...gone],
    act: on(
      async (booked, { connection, ledger }) => {
        const id = booked.payments.pop()!
        const reply = await connection.ask('DELETE', `/api/v2/payments/${id}`)
        if (reply.status === 204) ledger.voided.add(id)
        return reply
      },
      ({ payments }) => payments.length > 0,
    ),
  },
  {
    name: 'delete a stay',
    weight: 2,
    answers: ['204', '409 last-stay', '409 resource-referenced', ...gone],
    act: on(async (booked, guest) => {
      const reply = await guest.connection.ask('DELETE', at(booked))
      if (reply.status === 204) {
        guest.ledger.there.delete(at(booked))
        forget(guest, ({ stayId }) => stayId === booked.stayId)
      }
      return reply
    }),
  },
  {
    name: 'delete a reservation',
    weight: 1,
    answers: ['204', '409 resource-referenced', ...gone],
    act: on(async ({ reservationId }, guest) => {
      const path = `/${stays}/${reservationId}`
      const reply = await guest.connection.ask('DELETE', path)
      if (reply.status === 204) {
        for (const each of guest.ledger.there.keys())
          if (each.startsWith(path)) guest.ledger.there.delete(each)
        forget(guest, (each) => each.reservationId === reservationId)
      }
      return reply
    }),
  },
  {
    name: 'clean a unit',
    weight: 5,
    answers: ['204', '409 unit-status-transition'],
    act(guest) {
      const unit = pick(guest, guest.house.units.get(pick(guest, guest.house.booked)!)!)
      const status = guest.random() < 0.8 ? 'Clean' : 'Dirty'
      return guest.connection.ask('PATCH', `/api/v2/units/${unit}`, { status })
    },
  },
  {
    name: 'block a unit, or give it free',
    weight: 2,
    answers: ['204', '409 unit-occupied'],
    act(guest) {
      const unit = pick(guest, guest.house.units.get(guest.house.told)!)
      const [startDate, endDate] = [guest.house.days[1], guest.house.days[2]]
      const quantity = guest.random() < 0.5 ? 0 : 1
      return guest.connection.ask('PATCH', `/api/v2/availability/units/${unit}`, [
        { startDate, endDate, quantity },
      ])
    },
  },
  {
    name: 'tell how many units there are',
    weight: 1,
    answers: ['204'],
    act(guest) {
      const [startDate, endDate] = [guest.house.days[3], guest.house.days[4]]
      const quantity = Math.floor(guest.random() * 9)
      return guest.connection.ask('PATCH', `/api/v2/availability/unit-types/${guest.house.told}`, [
        { startDate, endDate, quantity },
      ])
    },
  },
  {
    name: 'create a profile again and again',
    weight: 4,
    answers: ['201', '409 idempotency-in-progress'],
    async act(guest) {
      const key = `storm-${Math.floor(guest.random() * 12)}`
      const body = { firstName: 'Once', lastName: key }
      const reply = await guest.connection.ask('POST', '/api/v2/profiles', body, { 'Idempotency-Key': key })
      if (reply.status === 201) {
        const { repeated, there } = guest.ledger
        repeated.set(key, (repeated.get(key) ?? new Set()).add(reply.body.data.id))
        there.set(`/api/v2/profiles/${reply.body.data.id}`, body)
      }
      return reply
    },
  },
]
