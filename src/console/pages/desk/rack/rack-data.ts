import { ApiError, getAll, type Resource } from '../../lib/api.ts'
import { nightsBetween, plusDays } from '../../lib/format.ts'
import {
  guestOf,
  type Maintenance,
  nameInList,
  type Profile,
  type Stay,
  type Unit,
  type UnitType,
} from '../../lib/resources.ts'

/** The number of nights that the rack shows. */
export const nightsShown = 14

/** A stay in one room, or a stay without a room, with its columns on the rack. */
export interface Bar {
  /** Unique on the rack: a stay with two rooms has two bars. */
  key: string
  stay: Resource<Stay>
  /** The index of the room in the stay. */
  index: number
  guest: string
  /** The first night shown, 0 to 13, and the night after the last. */
  from: number
  to: number
  /** Whether the stay begins before or ends after the shown nights. */
  isCutBefore: boolean
  isCutAfter: boolean
  /** Whether the guest is in house on the day of departure, or after it. */
  leaving: 'today' | 'overdue' | null
}

export interface RackRow {
  unit: Resource<Unit>
  type: string
  bars: Bar[]
  /** Nights out of service, as columns, with the reason. */
  blocks: { from: number; to: number; reason: string }[]
}

export interface Rack {
  start: string
  rows: RackRow[]
  /** The codes of the room types by their ids. */
  types: ReadonlyMap<string, string>
  /** Stays without a room. */
  waiting: Bar[]
  /** The number of free rooms of each type and night; null where the box reports none. */
  free: { id: string; type: string; counts: (number | null)[] }[]
  /** The free rooms of all types in each night, as Today counts them; null where the box reports none. */
  freeInAll: (number | null)[]
  /** False when the box could not count the free rooms. */
  areCountsKnown: boolean
  isCut: boolean
}

interface FreeRange {
  startDate: string
  endDate: string
  quantity: number
}

const mostStays = 2_000

/**
 * Reads the rooms and their stays for two weeks from `start`. Both are dates of the property. A guest in house has the
 * room today, also on the day of departure and after it.
 */
export async function readRack(start: string, today: string, signal: AbortSignal): Promise<Rack> {
  const end = plusDays(start, nightsShown)
  const last = plusDays(end, -1)
  const begun = `filter[startDate][lt]=${end}&include=profiles&page[size]=100`
  const held = `${begun}&filter[endDate][gt]=${start}`
  const [units, free, ...stays] = await Promise.all([
    getAll<Unit>('/api/v2/units?sort=name&include=unitType&page[size]=100', 1_000, signal),
    getAll<FreeRange>(
      `/api/v2/availability/unit-types?filter[startDate]=${start}&filter[endDate]=${last}&page[size]=100`,
      2_000,
      signal,
    ).catch(withoutNumbers),
    ...[`Confirmed&${held}`, `Tentative&${held}`, `InHouse&${begun}`].map((filter) =>
      getAll<Stay>(`/api/v2/stays?filter[status]=${filter}`, mostStays, signal),
    ),
  ])
  const bars = stays.flatMap(({ data, included }) =>
    data.flatMap((stay) => barsOf(stay, { start, today }, guestOf(stay, included))),
  )
  const byUnit = Map.groupBy(bars, ({ stay, index }) => stay.attributes.units[index]?.unitId ?? null)
  const types = typesOf(units.included)
  return {
    start,
    types,
    rows: units.data.map((unit) => ({
      unit,
      type: types.get(unit.attributes.unitTypeId) ?? '',
      bars: byUnit.get(unit.id) ?? [],
      blocks: blocksOf(unit.attributes.maintenance ?? [], start),
    })),
    waiting: byUnit.get(null) ?? [],
    free: [...types].map(([id, type]) => ({ id, type, counts: countsOf(id, free?.data ?? [], start) })),
    freeInAll: freeInAll(free?.data ?? [], start),
    areCountsKnown: free !== null,
    isCut: stays.some(({ isCut }) => isCut),
  }
}

/** Returns the codes of the types that have rooms, by their ids and in order. */
function typesOf(included: readonly Resource[]): ReadonlyMap<string, string> {
  const isType = (each: Resource): each is Resource<UnitType> => each.type === 'unit-type'
  const codes = included
    .filter(isType)
    .map(({ id, attributes }) => [id, attributes.code || attributes.name] as const)
  return new Map(codes.toSorted(([, one], [, other]) => one.localeCompare(other, 'en')))
}

/** When only the numbers of free rooms cannot be read, the rooms and their stays are shown without them. */
function withoutNumbers(error: unknown): null {
  if (error instanceof ApiError && error.status !== 0) return null
  throw error
}

function barsOf(
  stay: Resource<Stay>,
  { start, today }: { start: string; today: string },
  guest: Resource<Profile> | null,
): Bar[] {
  const { startDate, endDate, units, status } = stay.attributes
  const leaving = status !== 'InHouse' || endDate > today ? null : endDate < today ? 'overdue' : 'today'
  const first = nightsBetween(start, startDate)
  const after = nightsBetween(start, leaving === null ? endDate : plusDays(today, 1))
  if (after <= 0) return []
  return units.map((_, index) => ({
    key: `${stay.id}-${index}`,
    stay,
    index,
    guest: nameInList(guest),
    from: Math.max(0, first),
    to: Math.min(nightsShown, Math.max(after, first + 1)),
    isCutBefore: first < 0,
    isCutAfter: after > nightsShown,
    leaving,
  }))
}

/** Maintenance lasts to the end of its last day. */
function blocksOf(maintenance: readonly Maintenance[], start: string): RackRow['blocks'] {
  return maintenance
    .map(({ from, until, reason }) => ({
      from: from === null ? 0 : Math.max(0, nightsBetween(start, from)),
      to: until === null ? nightsShown : Math.min(nightsShown, nightsBetween(start, until) + 1),
      reason: reason ?? '',
    }))
    .filter(({ from, to }) => from < to)
}

function countsOf(typeId: string, ranges: readonly Resource<FreeRange>[], start: string): (number | null)[] {
  const counts = noCounts()
  const own = ranges.filter(({ relationships }) => {
    const type = relationships?.unitType?.data
    return type && !Array.isArray(type) && type.id === typeId
  })
  for (const { nights, quantity } of own.map((each) => within(each, start)))
    for (const night of nights) counts[night] = quantity
  return counts
}

/** Adds up the types. An oversold type has no room for the guests of another one. */
function freeInAll(ranges: readonly Resource<FreeRange>[], start: string): (number | null)[] {
  const counts = noCounts()
  for (const { nights, quantity } of ranges.map((each) => within(each, start)))
    for (const night of nights) counts[night] = (counts[night] ?? 0) + Math.max(0, quantity)
  return counts
}

const noCounts = (): (number | null)[] => Array(nightsShown).fill(null)

/** Returns the shown nights of a range. */
function within({ attributes: { startDate, endDate, quantity } }: Resource<FreeRange>, start: string) {
  const from = Math.max(0, nightsBetween(start, startDate))
  const to = Math.min(nightsShown - 1, nightsBetween(start, endDate))
  return { nights: Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at), quantity }
}
