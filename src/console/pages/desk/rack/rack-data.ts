import { getAll, type Resource } from '../../lib/api.ts'
import { nightsBetween, plusDays } from '../../lib/format.ts'
import {
  guestOf,
  nameInList,
  type Profile,
  type Stay,
  type Unit,
  type UnitType,
} from '../../lib/resources.ts'

/** How many nights the rack shows. */
export const nightsShown = 14

/** A stay in one room, or a stay without a room, by the columns of the rack. */
export interface Bar {
  /** Unique on the rack: a stay may have two rooms. */
  key: string
  stay: Resource<Stay>
  /** Which of the stay's rooms. */
  index: number
  guest: string
  /** The first night shown, 0 to 13, and the one after the last. */
  from: number
  to: number
  /** Whether the stay goes on before and after what is shown. */
  isCutBefore: boolean
  isCutAfter: boolean
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
  /** Stays without a room. */
  waiting: Bar[]
  /** Free rooms of each type, night by night; null where the box says nothing. */
  free: { id: string; type: string; counts: (number | null)[] }[]
  isCut: boolean
}

interface Maintenance {
  from: string | null
  until: string | null
  reason: string | null
}

interface FreeRange {
  startDate: string
  endDate: string
  quantity: number
}

const mostStays = 2_000
/** Of the stays that hold a room. */
const statuses = ['Confirmed', 'InHouse', 'Tentative'] as const

/** Reads the rooms and what stands in them for two weeks from `start`, a date of the property. */
export async function readRack(start: string, signal: AbortSignal): Promise<Rack> {
  const end = plusDays(start, nightsShown)
  const last = plusDays(end, -1)
  const held = `filter[startDate][lt]=${end}&filter[endDate][gt]=${start}&include=profiles&page[size]=100`
  const [units, types, free, ...stays] = await Promise.all([
    getAll<Unit & { maintenance: Maintenance[] | null }>(
      '/api/v2/units?sort=name&page[size]=100',
      1_000,
      signal,
    ),
    getAll<UnitType>('/api/v2/unit-types?sort=code&page[size]=100', 200, signal),
    getAll<FreeRange>(
      `/api/v2/availability/unit-types?filter[startDate]=${start}&filter[endDate]=${last}&page[size]=100`,
      2_000,
      signal,
    ),
    ...statuses.map((status) =>
      getAll<Stay>(`/api/v2/stays?filter[status]=${status}&${held}`, mostStays, signal),
    ),
  ])
  const bars = stays.flatMap(({ data, included }) =>
    data.flatMap((stay) => barsOf(stay, start, guestOf(stay, included))),
  )
  const byUnit = Map.groupBy(bars, ({ stay, index }) => stay.attributes.units[index]?.unitId ?? null)
  const codes = new Map(types.data.map(({ id, attributes }) => [id, attributes.code || attributes.name]))
  return {
    start,
    rows: units.data.map((unit) => ({
      unit,
      type: codes.get(unit.attributes.unitTypeId) ?? '',
      bars: byUnit.get(unit.id) ?? [],
      blocks: blocksOf(unit.attributes.maintenance ?? [], start),
    })),
    waiting: byUnit.get(null) ?? [],
    free: types.data.map(({ id }) => ({
      id,
      type: codes.get(id) ?? '',
      counts: countsOf(id, free.data, start),
    })),
    isCut: stays.some(({ isCut }) => isCut),
  }
}

function barsOf(stay: Resource<Stay>, start: string, guest: Resource<Profile> | null): Bar[] {
  const { startDate, endDate, units } = stay.attributes
  const first = nightsBetween(start, startDate)
  const after = nightsBetween(start, endDate)
  return units.map((_, index) => ({
    key: `${stay.id}-${index}`,
    stay,
    index,
    guest: nameInList(guest),
    from: Math.max(0, first),
    to: Math.min(nightsShown, Math.max(after, first + 1)),
    isCutBefore: first < 0,
    isCutAfter: after > nightsShown,
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
  const counts: (number | null)[] = Array(nightsShown).fill(null)
  for (const { attributes, relationships } of ranges) {
    const type = relationships?.unitType?.data
    if (!type || Array.isArray(type) || type.id !== typeId) continue
    const from = Math.max(0, nightsBetween(start, attributes.startDate))
    const to = Math.min(nightsShown - 1, nightsBetween(start, attributes.endDate))
    for (let night = from; night <= to; night++) counts[night] = attributes.quantity
  }
  return counts
}
