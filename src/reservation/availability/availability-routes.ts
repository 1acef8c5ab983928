import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, largeBody, noContent, type Request, type Route } from '../../jsonapi/route.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import { nobody } from '../assignment/unit-occupancy.ts'
import { reservation } from '../resources/reservation.ts'
import { type Settings, settings } from '../resources/settings.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitAvailability } from '../resources/unit-availability.ts'
import { unitType } from '../resources/unit-type.ts'
import { unitTypeAvailability } from '../resources/unit-type-availability.ts'
import { isLive } from '../stays/status.ts'
import { periodsOf } from './availability.ts'
import { availabilityDescriptions as says } from './availability-descriptions.ts'
import { type Entries, type Entry, entriesAnswer } from './availability-list.ts'
import { type Moment, momentOf } from './availability-moment.ts'
import { askedPeriod } from './availability-period.ts'
import { readAvailability, readTypePeriods, readUnitPeriods } from './availability-request.ts'
import { blockUnit, setUnitTypeAvailability } from './availability-update.ts'
import { freeUnits, type Need, needOfPeriod, needOfStay } from './free-units.ts'
import { leftIn } from './inventory-nights.ts'

const base = '/api/v2'
const types = 'availability/unit-types'
const units = 'availability/units'
const ofReservation = 'availability/reservations/:reservationId'

/** The largest number of unit types, and of stays of one reservation, that one list covers. */
const most = 1_000

/** The input of a list: the request, and the property's settings and moment. */
interface Asked<Name extends string> {
  request: Request
  filters: Partial<Record<Name, string>>
  house: Settings
  moment: Moment
}

const ofTypes = { resource: unitTypeAvailability, by: 'unitTypeId', target: unitType } as const
const ofUnits = { resource: unitAvailability, by: 'unitId', target: unit } as const

/** The routes of availability: how many units are left, and which units are free. `now` returns Unix milliseconds. */
export function availabilityRoutes(store: Store, now: () => number): Route[] {
  const { reader, writer, resources } = store

  /** Returns a handler that computes all entries from one snapshot of the store. */
  function list<const Name extends string>(
    of: Omit<Entries, 'all'>,
    names: readonly Name[],
    work: (asked: Asked<Name>) => Entry[],
  ) {
    return (request: Request): Promise<Answer> => {
      const { asked, filters } = readAvailability(resources, of.resource, names, request.query)
      const all = reader.snapshot(() => {
        const [house] = reader.rows(settings, { filters: [], sort: [], page: { size: 1 } })
        if (!house) throw new Error('the property has no settings')
        return work({ request, filters, house, moment: momentOf(now(), house) })
      })
      return entriesAnswer(store, { ...of, all }, asked, request)
    }
  }

  const listUnitTypes = list(ofTypes, ['startDate', 'endDate', 'unitTypeId'], ({ filters, moment }) => {
    const dates = askedPeriod(filters, moment.today)
    return typesAsked(filters.unitTypeId).flatMap((of) =>
      periodsOf(leftIn(reader, of, dates, moment)).map((period) => ({ of, ...period })),
    )
  })

  function typesAsked(idOrCode: string | undefined): string[] {
    if (idOrCode !== undefined) return [reader.idOf(unitType, idOrCode) ?? []].flat()
    return reader.rows(unitType, { filters: [], sort: [], page: { size: most } }).map(({ id }) => id)
  }

  const filters = ['startDate', 'endDate', 'unitId', 'unitTypeId'] as const

  const listUnits = list(ofUnits, filters, (asked) => {
    const { filters, house, moment } = asked
    const need = needOfPeriod(askedPeriod(filters, moment.today), house)
    return freeFor(need, [typeAsked(filters.unitTypeId)], asked)
  })

  const listForReservation = list(ofUnits, ['stayId', 'unitId', 'unitTypeId'], (asked) => {
    const { request, filters, house, moment } = asked
    const type = typeAsked(filters.unitTypeId)
    const isAsked = ({ id, status }: Stay) => isLive(status) && (filters.stayId ?? id) === id
    const found = staysOf(request).filter(isAsked)
    return longestOfEach(
      found.flatMap((each) => {
        const lacking = typesOf(each.units.filter(({ unitId }) => !unitId))
        const types = lacking.filter((id) => (type ?? id) === id)
        return freeFor(needOfStay(each, {}, house, moment), types, asked)
      }),
    )
  })

  const listForStay = list(ofUnits, filters, (asked) => {
    const { request, filters, house, moment } = asked
    const row = staysOf(request).find(({ id }) => id === request.params.stayId?.toLowerCase())
    if (!row) throw new Problem('not-found', 'The reservation has no such stay.')
    const type = typeAsked(filters.unitTypeId)
    return freeFor(needOfStay(row, filters, house, moment), type ? [type] : typesOf(row.units), asked)
  })

  /** Returns the free units of the given types. An undefined type means any type. */
  function freeFor(
    need: Need,
    types: readonly (string | undefined)[],
    { filters: { unitId }, moment }: Asked<'unitId'>,
  ): Entry[] {
    const { first: startDate, last: endDate } = need.dates
    const found = types.flatMap((unitTypeId) => freeUnits(reader, { unitId, unitTypeId }, need, moment))
    return found.map((of) => ({ of, startDate, endDate, quantity: 1 }))
  }

  /**
   * Returns the id of the unit type with this id or code; the id `nobody` when there is none; undefined when none is
   * asked for.
   */
  function typeAsked(idOrCode: string | undefined): string | undefined {
    return idOrCode === undefined ? undefined : (reader.idOf(unitType, idOrCode) ?? nobody)
  }

  function staysOf({ params }: Request): Stay[] {
    const id = reader.idOf(reservation, params.reservationId ?? '')
    if (id === null) throw new Problem('not-found', 'There is no such reservation.')
    const filters: Filter[] = [{ path: 'reservationId', operator: 'eq', value: id }]
    return reader.rows(stay, { filters, sort: [], page: { size: most } })
  }

  async function setType(request: Request): Promise<Answer> {
    const { unitTypeId = '' } = request.params
    const periods = await readTypePeriods(await request.body())
    const input = { unitTypeId, periods, revision: expectedRevision(request) }
    await writer.execute(setUnitTypeAvailability, input, writeOptions(request))
    return noContent()
  }

  async function block(request: Request): Promise<Answer> {
    const { unitId = '' } = request.params
    const periods = await readUnitPeriods(await request.body())
    const input = { unitId, periods, revision: expectedRevision(request) }
    return noContent((await writer.execute(blockUnit, input, writeOptions(request))).revision)
  }

  const { read, write: settingTypes } = unitTypeAvailability.scopes
  const { write: blocking } = unitAvailability.scopes
  const get = { method: 'GET', base, scope: read, beta: true } as const
  const patch = { method: 'PATCH', base, beta: true, largestBody: largeBody } as const
  const [type, one, some] = [`${types}/:unitTypeId`, `${units}/:unitId`, `${ofReservation}/units`]
  const ofStay = `${ofReservation}/stays/:stayId/units`
  return [
    { ...get, path: types, handle: listUnitTypes, description: says.listUnitTypes },
    { ...patch, path: type, scope: settingTypes, handle: setType, description: says.tell },
    { ...get, path: units, handle: listUnits, description: says.listUnits },
    { ...patch, path: one, scope: blocking, handle: block, description: says.block },
    { ...get, path: some, handle: listForReservation, description: says.listForReservation },
    { ...get, path: ofStay, handle: listForStay, description: says.listForStay },
  ]
}

/** Returns the distinct unit types of the places of a stay. */
function typesOf(places: Stay['units']): string[] {
  return [...new Set(places.map(({ unitTypeId }) => unitTypeId))]
}

/** Of the periods of one unit with the same start date, keeps the longest. The shorter ones are parts of it. */
function longestOfEach(all: readonly Entry[]): Entry[] {
  const byEnd = all.toSorted((a, b) => (a.endDate < b.endDate ? -1 : 1))
  return [...new Map(byEnd.map((each) => [`${each.of}:${each.startDate}`, each])).values()]
}
