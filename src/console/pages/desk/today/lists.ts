import { type Answered, getList, type Resource } from '../../lib/server/api.ts'
import { type Reading, useRead } from '../../lib/server/read.ts'
import { guestOf, nameInList, type Stay, type SyncConflict } from '../../lib/server/resources.ts'
import { hasRoom, unitsOf } from '../stay/stay.ts'

/** A list of stays on the screen, and their number. */
export interface StayList {
  data: Resource<Stay>[]
  included: Resource[]
  /** Exact unless `isAtLeast`. */
  total: number
  isAtLeast: boolean
}

export type ListName = 'arrivals' | 'inHouse' | 'departures' | 'toGiveBack'

/** The page size of the box. */
const pageSize = 100
export const mostShown = 300

/** Reads the stays of a filter with their guests and rooms, sorted by the name of the guest within a day; nothing for null. */
export function useStays(name: ListName, filter: string | null): Reading<StayList> {
  const path = `/api/v2/stays?${filter}&include=profiles,units&page[size]=${pageSize}`
  return useRead(filter && `${name} ${path}`, (signal) => listOf(path, name, signal), [
    'stay.',
    'profile.',
    'unit.',
    'key.',
  ])
}

async function listOf(path: string, name: ListName, signal: AbortSignal): Promise<StayList> {
  const data: Resource<Stay>[] = []
  const included: Resource[] = []
  let total = 0
  let isAtLeast = false
  let next: string | undefined = `${path}&withTotal=true`
  while (next !== undefined && data.length < mostShown) {
    const page: Answered<Resource<Stay>[]> = await getList<Stay>(next, { signal })
    data.push(...page.data)
    included.push(...(page.included ?? []))
    if (page.meta?.total !== undefined) {
      total = Number(page.meta.total)
      isAtLeast = page.meta.totalIsAtLeast === true
    }
    next = page.links?.next
  }
  const day = ({ attributes }: Resource<Stay>) =>
    name === 'arrivals' ? attributes.startDate : attributes.endDate
  const guest = (stay: Resource<Stay>) => nameInList(guestOf(stay, included))
  data.sort((one, other) => day(one).localeCompare(day(other)) || guest(one).localeCompare(guest(other)))
  return { data, included, total: Math.max(total, data.length), isAtLeast }
}

/** Returns how many stays begin on a date. */
export async function arrivalsOf(date: string, signal: AbortSignal): Promise<number> {
  const path = `/api/v2/stays?filter[status]=Confirmed&filter[startDate]=${date}&page[size]=1&withTotal=true`
  const { meta } = await getList<Stay>(path, { signal })
  return Number(meta?.total ?? 0)
}

export type FilterName = 'noRoom' | 'toPay' | 'conflict' | 'notReady'

/** Returns whether a stay matches a filter. */
export function isLike(
  filter: FilterName,
  stay: Resource<Stay>,
  included: readonly Resource[],
  conflicts: readonly Resource<SyncConflict>[],
): boolean {
  if (filter === 'noRoom') return !hasRoom(stay)
  if (filter === 'toPay') return (stay.attributes.outstanding ?? 0) > 0
  if (filter === 'conflict') return hasConflict(stay, conflicts)
  return hasRoom(stay) && unitsOf(stay, included).some(({ attributes }) => !isReady(attributes.status))
}

export const isReady = (status: string) => status === 'Clean' || status === 'Inspected'

/** Whether a stay, or its reservation, has an open conflict with the PMS. */
export function hasConflict(
  { id, attributes }: Resource<Stay>,
  conflicts: readonly Resource<SyncConflict>[],
): boolean {
  return conflicts.some(({ attributes: { stayId, reservationId } }) =>
    stayId === null ? reservationId === attributes.reservationId : stayId === id,
  )
}
