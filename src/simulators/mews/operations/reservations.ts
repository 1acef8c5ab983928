import { randomUUID } from 'node:crypto'
import type { MewsReservation } from '../../../pms/adapters/mews/records.ts'
import type { SimulatedMews } from '../simulated-property.ts'
import { type Body, idsIn, known, type Operation, paged, Refused, within } from './operation.ts'

const dayMs = 86_400_000

/** Reading reservations, and the course of a stay, with the conditions that the documents name. */
export function reservationOperations(mews: SimulatedMews): Record<string, Operation> {
  const { reservations } = mews
  const roomOf = (id: string | null | undefined) => [...mews.rooms.values()].find((room) => room.id === id)

  function move(id: unknown, from: readonly string[], to: string): MewsReservation {
    const record = known(reservations, id)
    if (!from.includes(record.State)) throw new Refused(403, `The reservation is ${record.State}.`)
    mews.change(record.Id, { State: to })
    return record
  }

  return {
    'reservations/getAll/2023-06-06'(body) {
      const [ids, states] = [idsIn(body, 'ReservationIds'), idsIn(body, 'States')]
      const found = [...reservations.values()].filter(
        (record) =>
          (!ids || ids.includes(record.Id)) &&
          (!states || states.includes(record.State)) &&
          within(body.UpdatedUtc, record.UpdatedUtc) &&
          within(body.ScheduledStartUtc, record.ScheduledStartUtc),
      )
      return paged('Reservations', found, body, ({ UpdatedUtc }) => UpdatedUtc)
    },
    'reservations/update'({ ReservationUpdates }) {
      updated(mews, ReservationUpdates as Updates[])
      return {}
    },
    'reservations/start'({ ReservationId }) {
      const record = known(reservations, ReservationId)
      const room = roomOf(record.AssignedResourceId)
      if (!room) throw new Refused(403, 'No room is assigned.')
      if (Date.parse(record.ScheduledStartUtc) > mews.now()) {
        throw new Refused(403, 'The reservation starts in the future.')
      }
      if ((room.state ?? 'Inspected') !== 'Inspected') {
        throw new Refused(403, `The assigned space is ${room.state}, not inspected.`)
      }
      move(ReservationId, ['Confirmed'], 'Started')
      return {}
    },
    'reservations/process'({ ReservationId, AllowOpenBalance, Notes }) {
      const record = known(reservations, ReservationId)
      const lastDay = Math.floor(Date.parse(record.ScheduledEndUtc) / dayMs) * dayMs
      if (record.State === 'Started' && mews.now() < lastDay) {
        throw new Refused(403, 'The reservation does not end today.')
      }
      if ((mews.owing.get(record.Id) ?? 0) > 0 && !(AllowOpenBalance && Notes)) {
        throw new Refused(403, 'The bill has an open balance.')
      }
      move(ReservationId, ['Started'], 'Processed')
      return {}
    },
    'reservations/cancel'({ ReservationIds, Notes }) {
      if (!Notes) throw new Refused(400, 'Notes is required.')
      for (const id of ReservationIds as string[]) {
        move(id, ['Confirmed', 'Optional', 'Requested', 'Inquired'], 'Canceled')
      }
      return { ReservationIds }
    },
    'reservations/add'({ Reservations, GroupId }) {
      const added = (Reservations as Body[]).map((wanted) => ({
        Identifier: wanted.Identifier,
        Reservation: booked(mews, wanted, (GroupId as string | undefined) ?? randomUUID()),
      }))
      return { Reservations: added }
    },
  }
}

type Updates = Record<string, { Value: unknown } | undefined> & { ReservationId?: unknown }

/** All updates of a request, or none of them. */
function updated(mews: SimulatedMews, updates: readonly Updates[]): void {
  const after = new Map(mews.reservations)
  for (const update of updates) {
    const record = known(after, update.ReservationId)
    if (['Processed', 'Canceled'].includes(record.State)) {
      throw new Refused(403, `The reservation is ${record.State}.`)
    }
    if (record.State === 'Started' && update.StartUtc) {
      throw new Refused(403, 'The start of a started reservation cannot be changed.')
    }
    const change: MewsReservation = { ...record }
    for (const [name, member] of Object.entries(members)) {
      const value = update[name]
      if (value) Object.assign(change, { [member]: value.Value })
    }
    if (change.ScheduledEndUtc <= change.ScheduledStartUtc) throw new Refused(400, 'Invalid interval.')
    const other = [...after.values()].find((each) => collide(each, change))
    if (other) throw new Refused(403, `The space is taken by reservation ${other.Number}.`)
    after.set(record.Id, change)
  }
  for (const { ReservationId } of updates)
    mews.change(String(ReservationId), after.get(String(ReservationId))!)
}

const members = {
  StartUtc: 'ScheduledStartUtc',
  EndUtc: 'ScheduledEndUtc',
  AssignedResourceId: 'AssignedResourceId',
  RequestedCategoryId: 'RequestedResourceCategoryId',
  PersonCounts: 'PersonCounts',
}

const holding = ['Confirmed', 'Started', 'Optional']

function collide(one: MewsReservation, other: MewsReservation): boolean {
  return (
    one.Id !== other.Id &&
    Boolean(one.AssignedResourceId) &&
    one.AssignedResourceId === other.AssignedResourceId &&
    holding.includes(one.State) &&
    holding.includes(other.State) &&
    one.ScheduledStartUtc < other.ScheduledEndUtc &&
    other.ScheduledStartUtc < one.ScheduledEndUtc
  )
}

function booked(mews: SimulatedMews, wanted: Body, GroupId: string): MewsReservation {
  const { CustomerId, RateId, RequestedCategoryId, StartUtc, EndUtc, PersonCounts, State, Notes } = wanted
  if (!mews.customers.has(String(CustomerId))) throw new Refused(400, 'Invalid CustomerId.')
  if (RateId !== mews.rateId) throw new Refused(400, 'Invalid RateId.')
  const id = mews.book({
    AccountId: String(CustomerId),
    GroupId,
    State: String(State),
    ScheduledStartUtc: String(StartUtc),
    ScheduledEndUtc: String(EndUtc),
    RequestedResourceCategoryId: String(RequestedCategoryId),
    PersonCounts: PersonCounts as MewsReservation['PersonCounts'],
  })
  if (Notes) mews.note(id, String(Notes))
  return mews.reservations.get(id)!
}
