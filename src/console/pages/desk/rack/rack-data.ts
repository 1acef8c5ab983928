import { nightsBetween, plusDays } from '../../lib/language/format.ts'
import { ApiError, getAll, type Resource } from '../../lib/server/api.ts'
import {
  guestOf,
  type Maintenance,
  nameInList,
  type Profile,
  type Stay,
  type Unit,
  type UnitType,
} from '../../lib/server/resources.ts'
import { type StayState, stateOf } from '../stay/states.ts'

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
  state: StayState
}

export interface RackRow {
  unit: Resource<Unit>
  bars: Bar[]
  /** Nights in which the room is not given, as columns, with the reason: by the status of the room, or blocked for dates. */
  blocks: { from: number; to: number; reason: string; isStatus: boolean }[]
}

/** The rooms of a type. */
export interface RackGroup {
  type: Resource<UnitType>
  rows: RackRow[]
  /** The number of free rooms in each night; null where the box reports none. */
  free: (number | null)[]
}

export interface Rack {
  start: string
  groups: RackGroup[]
  /** The rooms of all groups, in the order in which they are shown. */
  rows: RackRow[]
  /** The codes of the room types by their ids. */
  types: ReadonlyMap<string, string>
  /** Stays without a room. */
  waiting: Bar[]
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
  const byType = Map.groupBy(units.data, ({ attributes }) => attributes.unitTypeId)
  const groups = typesOf(units.included).map((type) => ({
    type,
    rows: (byType.get(type.id) ?? []).map((unit) => ({
      unit,
      bars: byUnit.get(unit.id) ?? [],
      blocks: blocksOf(unit.attributes.maintenance ?? [], start),
    })),
    free: countsOf(type.id, free?.data ?? [], start),
  }))
  return {
    start,
    groups,
    rows: groups.flatMap(({ rows }) => rows),
    types: new Map(groups.map(({ type }) => [type.id, codeOf(type)])),
    waiting: byUnit.get(null) ?? [],
    freeInAll: freeInAll(free?.data ?? [], start),
    areCountsKnown: free !== null,
    isCut: stays.some(({ isCut }) => isCut),
  }
}

export const codeOf = ({ attributes: { code, name } }: Resource<UnitType>) => code || name

/** Returns the types that have rooms, in the order of their codes. */
function typesOf(included: readonly Resource[]): Resource<UnitType>[] {
  const isType = (each: Resource): each is Resource<UnitType> => each.type === 'unit-type'
  const byId = new Map(included.filter(isType).map((type) => [type.id, type]))
  return [...byId.values()].sort((one, other) => codeOf(one).localeCompare(codeOf(other), 'en'))
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
  const state = stateOf({ status, endDate })
  const isLeaving = state === 'LeavesToday' || state === 'Overdue'
  const first = nightsBetween(start, startDate)
  const after = nightsBetween(start, isLeaving ? plusDays(today, 1) : endDate)
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
    state,
  }))
}

/** Maintenance lasts to the end of its last day. */
function blocksOf(maintenance: readonly Maintenance[], start: string): RackRow['blocks'] {
  return maintenance
    .map(({ from, until, reason }) => ({
      from: from === null ? 0 : Math.max(0, nightsBetween(start, from)),
      to: until === null ? nightsShown : Math.min(nightsShown, nightsBetween(start, until) + 1),
      reason: reason ?? '',
      isStatus: from === null,
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
