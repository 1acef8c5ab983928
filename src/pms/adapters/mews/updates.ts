import { localRange } from '../../../host/zone.ts'
import type { SharedStay } from '../../sync/shared-reservation.ts'
import type { Intent } from '../../sync-contract.ts'
import { type MewsCall, type MewsClient, MewsRefusal } from './client.ts'
import type { Lookups } from './lookups.ts'
import type { Work } from './work.ts'

export interface UpdateParts {
  client: MewsClient
  lookups: Lookups
  timeZone: string
}

type Members = Record<string, { Value: unknown }>

/** The members of `reservations/update` that one intent needs. */
interface Part {
  work: Work
  intent: Intent
  members: Members
}

/**
 * Sends dates, rooms and persons of all messages in one request. When Mews refuses it, each message is sent alone, and at
 * last each intent, so that a refusal keeps no other back.
 */
export async function updateAll(works: readonly Work[], parts: UpdateParts, call: MewsCall): Promise<void> {
  const needed: Part[] = []
  for (const work of works)
    for (const intent of work.offer.intents) {
      try {
        const members = membersFor(intent, work, parts)
        if (Object.keys(members).length > 0) needed.push({ work, intent, members })
      } catch (error) {
        work.refuse(intent.id, error)
      }
    }
  await freeRooms(needed, parts, call)
  await send(needed, parts, call)
}

async function send(needed: readonly Part[], parts: UpdateParts, call: MewsCall): Promise<void> {
  if (needed.length === 0) return
  const byWork = Map.groupBy(needed, ({ work }) => work)
  const updates = [...byWork].map(([{ present }, some]) => ({
    ReservationId: present.record.Id,
    ...Object.assign({}, ...some.map(({ members }) => members)),
  }))
  try {
    await update(updates, parts, call)
    for (const { work, intent } of needed) work.updated.add(intent.id)
  } catch (error) {
    if (!(error instanceof MewsRefusal)) throw error
    const smaller = byWork.size > 1 ? [...byWork.values()] : needed.map((each) => [each])
    if (needed.length > 1) for (const some of smaller) await send(some, parts, call)
    else needed[0]?.work.refuse(needed[0].intent.id, error)
  }
}

function update(updates: readonly object[], { client }: UpdateParts, call: MewsCall): Promise<unknown> {
  const body = { CheckOverbooking: true, Reprice: false, ReservationUpdates: updates }
  return client.ask('reservations/update', body, { ...call, changes: true })
}

/** Planned stays of which another of the same messages gets the room have none for a moment: rooms can be exchanged so. */
async function freeRooms(needed: readonly Part[], parts: UpdateParts, call: MewsCall): Promise<void> {
  const moving = needed.filter(({ members }) => members.AssignedResourceId)
  const taken = new Set(moving.map(({ members }) => members.AssignedResourceId?.Value))
  const inTheWay = moving.filter(
    ({ work: { present } }) =>
      present.record.State !== 'Started' && taken.has(present.record.AssignedResourceId),
  )
  if (inTheWay.length === 0) return
  const updates = inTheWay.map(({ work }) => ({
    ReservationId: work.present.record.Id,
    AssignedResourceId: { Value: null },
  }))
  try {
    await update(updates, parts, call)
  } catch (error) {
    // The assignments say why.
    if (!(error instanceof MewsRefusal)) throw error
  }
}

/** Throws Refusal for what Mews has no name for. */
function membersFor(intent: Intent, { present }: Work, parts: UpdateParts): Members {
  const now = present.change.value?.stays[0]
  if (!now || intent.stayLocalId === null) return {}
  const wanted = { ...now, ...intent.to }
  if (intent.group === 'dates') return dates(wanted, now, parts)
  if (intent.group === 'units') return unit(wanted, now, parts)
  return intent.group === 'guests' ? persons(wanted, now, parts) : {}
}

const edges = [
  ['StartUtc', 'startsAt', 'startDate', 'startTime'],
  ['EndUtc', 'endsAt', 'endDate', 'endTime'],
] as const

function dates(wanted: SharedStay, now: SharedStay, { timeZone }: UpdateParts): Members {
  const moved = edges.filter(
    ([, , date, time]) => wanted[date] !== now[date] || (wanted[time] && wanted[time] !== now[time]),
  )
  const wall = (date: 'startDate' | 'endDate', time: 'startTime' | 'endTime') => ({
    date: wanted[date],
    time: wanted[time] ?? now[time] ?? '00:00',
  })
  const range = localRange(wall('startDate', 'startTime'), wall('endDate', 'endTime'), timeZone)
  return Object.fromEntries(
    moved.map(([name, instant]) => [name, { Value: new Date(range[instant]).toISOString() }]),
  )
}

function unit(wanted: SharedStay, now: SharedStay, { lookups }: UpdateParts): Members {
  const [place, before] = [wanted.units?.[0], now.units?.[0]]
  const members: Members = {}
  if (place && place.unitTypeCode !== before?.unitTypeCode) {
    const id = lookups.categoryId(place.unitTypeCode)
    if (id === null) throw new MewsRefusal(400, `Mews has no category ${place.unitTypeCode} in the service.`)
    members.RequestedCategoryId = { Value: id }
  }
  const name = place?.unitName ?? null
  if (name === (before?.unitName ?? null)) return members
  const id = name === null ? null : lookups.resourceId(name)
  if (name !== null && id === null) throw new MewsRefusal(400, `Mews has no room ${name} in the service.`)
  members.AssignedResourceId = { Value: id }
  return members
}

function persons({ personCount }: SharedStay, now: SharedStay, { lookups }: UpdateParts): Members {
  const [adults, children] = [personCount?.adults ?? 0, personCount?.children ?? 0]
  const isSame = adults === now.personCount?.adults && children === (now.personCount?.children ?? 0)
  return !personCount || isSame ? {} : { PersonCounts: { Value: personCounts(adults, children, lookups) } }
}

/** The persons by age categories. Throws Refusal where the service has no category for them. */
export function personCounts(adults: number, children: number, lookups: Lookups) {
  const counts = [
    [adults, lookups.ageCategoryId(true), 'adults'],
    [children, lookups.ageCategoryId(false), 'children'],
  ] as const
  return counts.flatMap(([Count, AgeCategoryId, persons]) => {
    if (Count === 0) return []
    if (AgeCategoryId === null)
      throw new MewsRefusal(400, `Mews has no age category for ${persons} in the service.`)
    return { AgeCategoryId, Count }
  })
}
