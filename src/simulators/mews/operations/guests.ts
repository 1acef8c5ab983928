import { randomUUID } from 'node:crypto'
import type { MewsCompanionship, MewsCustomer } from '../../../pms/adapters/mews/records.ts'
import type { SimulatedMews } from '../simulated-property.ts'
import { type Body, idsIn, known, listed, type Operation, paged, Refused } from './operation.ts'

/** Customers, the companions of a reservation, and notes. */
export function guestOperations(mews: SimulatedMews): Record<string, Operation> {
  const { customers, reservations } = mews
  const touch = (reservationId: unknown) => mews.change(String(reservationId), {})

  return {
    'companionships/getAll'(body) {
      const ids = idsIn(body, 'ReservationIds') ?? []
      const found = mews.companionships.filter(({ ReservationId }) => ids.includes(ReservationId ?? ''))
      return listed('Companionships', found)
    },
    'customers/getAll'(body) {
      const found = (idsIn(body, 'CustomerIds') ?? []).flatMap((id) => customers.get(id) ?? [])
      return listed('Customers', found)
    },
    'customers/add'({ OverwriteExisting, ...body }) {
      if (typeof OverwriteExisting !== 'boolean') throw new Refused(400, 'OverwriteExisting is required.')
      if (!body.LastName) throw new Refused(400, 'LastName is required.')
      const same = [...customers.values()].find(({ Email }) => Email && Email === body.Email)
      if (same && !OverwriteExisting) return same
      const customer = { ...same, ...membersOf(body), Id: same?.Id ?? randomUUID() } as MewsCustomer
      customers.set(customer.Id, customer)
      return customer
    },
    'customers/update'({ CustomerId, ...body }) {
      const before = customers.get(String(CustomerId))
      if (!before) throw new Refused(400, 'Invalid CustomerId.')
      const customer = { ...before, ...membersOf(body) }
      customers.set(before.Id, customer)
      return customer
    },
    'reservations/addCompanion'({ ReservationId, CustomerId }) {
      const { PersonCounts } = known(reservations, ReservationId)
      const most = PersonCounts.reduce((sum, { Count }) => sum + Count, 0)
      const there = mews.companionships.filter((each) => each.ReservationId === ReservationId)
      if (there.length >= most) throw new Refused(403, 'The reservation has no place for another companion.')
      mews.companionships.push({ CustomerId: String(CustomerId), ReservationId: String(ReservationId) })
      touch(ReservationId)
      return {}
    },
    'reservations/deleteCompanion'({ ReservationId, CustomerId }) {
      const isIt = (each: MewsCompanionship) =>
        each.ReservationId === ReservationId && each.CustomerId === CustomerId
      taken(mews.companionships, isIt, 403, 'The customer is not a companion of the reservation.')
      touch(ReservationId)
      return {}
    },
    'serviceOrderNotes/getAll'(body) {
      const ids = idsIn(body, 'ServiceOrderIds') ?? []
      const found = mews.notes.filter(({ ServiceOrderId }) => ids.includes(ServiceOrderId))
      return paged('ServiceOrderNotes', found, body, ({ CreatedUtc }) => CreatedUtc)
    },
    'serviceOrderNotes/add'({ ServiceOrderNotes }) {
      const notes = (ServiceOrderNotes as Body[]).map(({ ServiceOrderId, Text }) =>
        mews.note(known(reservations, ServiceOrderId).Id, String(Text)),
      )
      return { ServiceOrderNotes: notes }
    },
    'serviceOrderNotes/update'({ ServiceOrderNoteUpdates }) {
      for (const { ServiceOrderNoteId, Text } of ServiceOrderNoteUpdates as Body[]) {
        const note = mews.notes.find(({ Id }) => Id === ServiceOrderNoteId)
        if (!note) throw new Refused(400, 'Invalid ServiceOrderNoteId.')
        note.Text = String((Text as { Value: string }).Value)
        touch(note.ServiceOrderId)
      }
      return {}
    },
    'serviceOrderNotes/delete'({ ServiceOrderNoteIds }) {
      for (const id of ServiceOrderNoteIds as string[]) {
        touch(taken(mews.notes, ({ Id }) => Id === id, 400, 'Invalid ServiceOrderNoteId.').ServiceOrderId)
      }
      return {}
    },
  }
}

/** Removes an item from its list, and returns it. Throws Refused when it is not there. */
function taken<Item>(all: Item[], isIt: (each: Item) => boolean, status: number, message: string): Item {
  const at = all.findIndex(isIt)
  if (at < 0) throw new Refused(status, message)
  return all.splice(at, 1)[0]!
}

const names = [
  'FirstName',
  'LastName',
  'Title',
  'NationalityCode',
  'LanguageCode',
  'BirthDate',
  'Email',
  'Phone',
]

/** The members that are set: Mews leaves what is absent. */
function membersOf(body: Body): Body {
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}
