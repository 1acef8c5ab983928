import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, largeBody, type Request, type Route } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { cachedSettings, momentOf } from '../resources/house.ts'
import { unitAvailability } from '../resources/unit-availability.ts'
import { unitType } from '../resources/unit-type.ts'
import { unitTypeAvailability } from '../resources/unit-type-availability.ts'
import { availabilityDescriptions as says } from './availability-descriptions.ts'
import {
  type ComputedList,
  freeForReservation,
  freeForStay,
  freeInPeriod,
  leftOfTypes,
} from './availability-entries.ts'
import { entriesAnswer } from './availability-list.ts'
import { readListQuery, readTypePeriods, readUnitPeriods } from './availability-request.ts'
import { blockUnit, setUnitTypeAvailability } from './availability-update.ts'

const base = '/api/v2'
const types = 'availability/unit-types'
const units = 'availability/units'
const ofReservation = 'availability/reservations/:reservationId'

/** The routes of availability: how many units are left, and which units are free. `now` returns Unix milliseconds. */
export function availabilityRoutes(store: Store, now: () => number): Route[] {
  const { read, write: setting } = unitTypeAvailability.scopes
  const { write: blocking } = unitAvailability.scopes
  const get = { method: 'GET', base, scope: read, beta: true } as const
  const patch = { method: 'PATCH', base, beta: true, largestBody: largeBody } as const
  const [type, one, some] = [`${types}/:unitTypeId`, `${units}/:unitId`, `${ofReservation}/units`]
  const ofStay = `${ofReservation}/stays/:stayId/units`
  const list = (each: ComputedList) => (request: Request) => listEntries(store, now(), each, request)
  const setType = (request: Request) => setUnitType(store, request)
  const block = (request: Request) => setUnit(store, request)
  return [
    { ...get, path: types, handle: list(leftOfTypes), description: says.listUnitTypes },
    { ...patch, path: type, scope: setting, handle: setType, description: says.setUnitType },
    { ...get, path: units, handle: list(freeInPeriod), description: says.listUnits },
    { ...patch, path: one, scope: blocking, handle: block, description: says.block },
    { ...get, path: some, handle: list(freeForReservation), description: says.listForReservation },
    { ...get, path: ofStay, handle: list(freeForStay), description: says.listForStay },
  ]
}

/** Computes all entries of a list from one snapshot of the store, and answers a page of them. */
function listEntries(store: Store, now: number, list: ComputedList, request: Request): Promise<Answer> {
  const { reader, resources } = store
  const { filters, ...asked } = readListQuery(resources, list.resource, list.filters, request.query)
  const { params } = request
  const { unitTypeId } = filters
  const all = reader.snapshot(() => {
    const house = cachedSettings(reader)
    if (!house) throw new Error('the property has no settings')
    const types = unitTypeId === undefined ? undefined : [reader.idOf(unitType, unitTypeId) ?? []].flat()
    return list.entries({ reader, params, filters, types, house, moment: momentOf(now, house) })
  })
  return entriesAnswer(store, { ...list, all }, asked, request)
}

async function setUnitType({ writer }: Store, request: Request): Promise<Answer> {
  const { unitTypeId = '' } = request.params
  const periods = await readTypePeriods(await request.body())
  const input = { unitTypeId, periods, revision: expectedRevision(request) }
  return noContent((await writer.execute(setUnitTypeAvailability, input, writeOptions(request))).revision)
}

async function setUnit({ writer }: Store, request: Request): Promise<Answer> {
  const { unitId = '' } = request.params
  const periods = await readUnitPeriods(await request.body())
  const input = { unitId, periods, revision: expectedRevision(request) }
  return noContent((await writer.execute(blockUnit, input, writeOptions(request))).revision)
}
