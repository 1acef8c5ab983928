import { moneyText, plusDays } from '../../lib/language/format.ts'
import { getAll, getList, type Resource } from '../../lib/server/api.ts'
import {
  guestOf,
  type Key,
  nameInList,
  type Payment,
  type Stay,
  type TerminalPayment,
} from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import type { Happening } from '../history/happenings.ts'
import { roomsOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'

/** Whom and what a line is about. Empty texts where nothing is known, or the caller has no right to read it. */
export interface About {
  guest: string
  room: string
  stayId: string | null
  /** The amount of a payment, or which key it was. */
  detail: string
  /** Why a payment at a terminal took no money, or a refund was made. */
  reason: string | null
}

const unknown: About = { guest: '', room: '', stayId: null, detail: '', reason: null }

/** Reads what the lines of a page are about. What was read for a line is kept in `known`. */
export async function aboutAll(
  happenings: readonly Happening[],
  known: Map<string, Promise<About>>,
): Promise<ReadonlyMap<string, About>> {
  const newest = new Map<string, string>()
  for (const { sequence, event } of happenings)
    if (!newest.has(event.subject)) newest.set(event.subject, sequence)
  const read = [...newest].map(async ([subject, sequence]): Promise<[string, About]> => {
    const name = `${subject} ${sequence}`
    const about = known.get(name) ?? aboutOf(subject)
    known.set(name, about)
    try {
      return [subject, await about]
    } catch (error) {
      known.delete(name)
      throw error
    }
  })
  return new Map(await Promise.all(read))
}

async function aboutOf(subject: string): Promise<About> {
  const [kind, id = ''] = subject.split('/')
  if (kind === 'stays') return aboutStay(id)
  if (kind === 'keys') return aboutKey(id)
  if (kind === 'payments')
    return aboutPayment(
      await oneOf<Payment>('payments.read', `payments?filter[voided][notnull]=1&filter[id]=${id}`),
    )
  if (kind === 'terminal-payments')
    return aboutPayment(await oneOf<TerminalPayment>('payments.read', `terminal-payments?filter[id]=${id}`))
  return unknown
}

async function aboutStay(id: string): Promise<About> {
  if (!may('reservations.read')) return unknown
  const { data, included } = await getAll<Stay>(`/api/v2/stays?filter[id]=${id}&include=profiles`, 1)
  const [stay] = data
  if (!stay) return unknown
  return { ...unknown, guest: nameInList(guestOf(stay, included)), room: roomsOf(stay), stayId: id }
}

async function aboutKey(id: string): Promise<About> {
  const key = await oneOf<Key>('keys.read', `access/keys?filter[id]=${id}`)
  if (!key) return unknown
  const { stayId, unitName, keyType, sequence, original } = key.attributes
  const stay = stayId === null ? unknown : await aboutStay(stayId)
  const detail = keyType === 'pinCode' ? 'PIN' : g.value.madeAs(sequence, original)
  return { ...stay, room: unitName ?? stay.room, detail }
}

/** A payment of a whole booking is shown with the first of its stays. */
async function aboutPayment(payment: Resource<Payment | TerminalPayment> | undefined): Promise<About> {
  if (!payment) return unknown
  const { attributes } = payment
  const { amount, currency, reason } = attributes
  const [first] = 'allotments' in attributes ? (attributes.allotments ?? []) : []
  const stayId = attributes.stayId ?? first?.stayId ?? null
  const stay = stayId === null ? unknown : await aboutStay(stayId)
  return { ...stay, detail: moneyText(amount, currency), reason }
}

async function oneOf<A>(scope: string, path: string): Promise<Resource<A> | undefined> {
  return may(scope) ? (await getList<A>(`/api/v2/${path}`)).data[0] : undefined
}

/** The numbers of subjects of one room: more would make a list that the box takes too long for. */
const mostStays = 8
const mostEach = 15

/** Returns the subjects of the events of one room: itself, its stays of the day or its newest ones, and their keys and payments. */
export async function subjectsOf(
  room: { id: string; name: string },
  date: string,
  signal: AbortSignal,
): Promise<string[]> {
  const day = date === '' ? '' : `&filter[startDate][lte]=${date}&filter[endDate][gte]=${date}`
  // The keys made until then, in any time zone.
  const made = date === '' ? '' : `&filter[createdAt][lt]=${plusDays(date, 2)}T00:00:00Z`
  const named = encodeURIComponent(room.name)
  const list = async (scope: string, path: string) =>
    may(scope) ? (await getList<object>(`/api/v2/${path}`, { signal })).data.map(({ id }) => id) : []
  const [stays, keys] = await Promise.all([
    list(
      'reservations.read',
      `stays?filter[units.unitId]=${room.id}&sort=-startDate&page[size]=${mostStays}${day}`,
    ),
    list('keys.read', `access/keys?filter[unitName]=${named}&sort=-createdAt&page[size]=${mostEach}${made}`),
  ])
  const payments = await Promise.all(
    stays.map((id) =>
      list(
        'payments.read',
        `payments?filter[voided][notnull]=1&filter[allotments.stayId]=${id}&page[size]=${mostEach}`,
      ),
    ),
  )
  return [
    `units/${room.id}`,
    ...stays.map((id) => `stays/${id}`),
    ...keys.map((id) => `keys/${id}`),
    ...payments
      .flat()
      .slice(0, mostEach)
      .map((id) => `payments/${id}`),
  ]
}
