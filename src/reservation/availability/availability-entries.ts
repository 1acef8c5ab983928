import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Moment } from '../resources/house.ts'
import { reservation } from '../resources/reservation.ts'
import type { Settings } from '../resources/settings.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitAvailability } from '../resources/unit-availability.ts'
import { unitType } from '../resources/unit-type.ts'
import { unitTypeAvailability } from '../resources/unit-type-availability.ts'
import { isLive } from '../stays/rules/status-rules.ts'
import { periodsOf } from './availability.ts'
import type { Entries, Entry } from './availability-list.ts'
import { askedPeriod } from './availability-period.ts'
import { freeUnits, type Need, needOfPeriod, needOfStay } from './free-units.ts'
import { leftIn } from './inventory-nights.ts'

export type FilterName = 'startDate' | 'endDate' | 'unitTypeId' | 'unitId' | 'stayId'

/** What the entries of a list are computed from. */
interface Asked {
  reader: Reader
  params: Record<string, string>
  filters: Partial<Record<FilterName, string>>
  /** The unit types of the filter `unitTypeId`: none when it is unknown; undefined without the filter. */
  types: readonly string[] | undefined
  house: Settings
  moment: Moment
}

/** A list of computed entries, with its filters. */
export interface ComputedList extends Omit<Entries, 'all'> {
  filters: readonly FilterName[]
  entries(asked: Asked): Entry[]
}

const ofTypes = { resource: unitTypeAvailability, by: 'unitTypeId', target: unitType }
const ofUnits = { resource: unitAvailability, by: 'unitId', target: unit }

/** The largest number of unit types, and of stays of one reservation, that one list covers. */
const most = 1_000

/** How many units of each type are left, in periods. */
export const leftOfTypes: ComputedList = {
  ...ofTypes,
  filters: ['startDate', 'endDate', 'unitTypeId'],
  entries({ reader, filters, types, moment }) {
    const dates = askedPeriod(filters, moment.today)
    const all = () => reader.rows(unitType, { filters: [], sort: [], page: { size: most } })
    return (types ?? all().map(({ id }) => id)).flatMap((of) =>
      periodsOf(leftIn(reader, of, dates, moment)).map((period) => ({ of, ...period })),
    )
  },
}

/** The units that are free for a period. */
export const freeInPeriod: ComputedList = {
  ...ofUnits,
  filters: ['startDate', 'endDate', 'unitId', 'unitTypeId'],
  entries(asked) {
    const { filters, types = [undefined], house, moment } = asked
    return freeFor(needOfPeriod(askedPeriod(filters, moment.today), house), types, asked)
  },
}

/** Units for the stays of a reservation that have none. */
export const freeForReservation: ComputedList = {
  ...ofUnits,
  filters: ['stayId', 'unitId', 'unitTypeId'],
  entries(asked) {
    const { filters, types, house, moment } = asked
    const live = staysOf(asked).filter(({ id, status }) => isLive(status) && (filters.stayId ?? id) === id)
    const found = live.flatMap((each) => {
      const lacking = typesOf(each.units.filter(({ unitId }) => !unitId))
      const wanted = lacking.filter((id) => types?.includes(id) ?? true)
      return freeFor(needOfStay(each, {}, house, moment), wanted, asked)
    })
    return longestOfEach(found)
  },
}

/** Units that one stay could have. */
export const freeForStay: ComputedList = {
  ...ofUnits,
  filters: ['startDate', 'endDate', 'unitId', 'unitTypeId'],
  entries(asked) {
    const { params, filters, types, house, moment } = asked
    const row = staysOf(asked).find(({ id }) => id === params.stayId?.toLowerCase())
    if (!row) throw new Problem('not-found', 'The reservation has no such stay.')
    return freeFor(needOfStay(row, filters, house, moment), types ?? typesOf(row.units), asked)
  },
}

/** Returns the free units of the given types. An undefined type means any type. */
function freeFor(need: Need, types: readonly (string | undefined)[], asked: Asked): Entry[] {
  const { reader, filters, moment } = asked
  const { first: startDate, last: endDate } = need.dates
  const among = types.map((unitTypeId) => ({ unitId: filters.unitId, unitTypeId }))
  const found = among.flatMap((each) => freeUnits(reader, each, need, moment))
  return found.map((of) => ({ of, startDate, endDate, quantity: 1 }))
}

function staysOf({ reader, params }: Asked): Stay[] {
  const value = reader.idOf(reservation, params.reservationId ?? '')
  if (value === null) throw new Problem('not-found', 'There is no such reservation.')
  const filters = [{ path: 'reservationId', operator: 'eq' as const, value }]
  return reader.rows(stay, { filters, sort: [], page: { size: most } })
}

function typesOf(units: Stay['units']): string[] {
  return [...new Set(units.map(({ unitTypeId }) => unitTypeId))]
}

/** Of the periods of one unit with the same start date, keeps the longest. The shorter ones are parts of it. */
function longestOfEach(all: readonly Entry[]): Entry[] {
  const byEnd = all.toSorted((a, b) => (a.endDate < b.endDate ? -1 : 1))
  return [...new Map(byEnd.map((each) => [`${each.of}:${each.startDate}`, each])).values()]
}
