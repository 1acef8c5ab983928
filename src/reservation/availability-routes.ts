import type { Keeping } from '../jsonapi/resource-routes.ts'
import { type Answer, largeBody, noContent, type Request, type Route } from '../jsonapi/route.ts'
import { expectedRevision, writeOptions } from '../jsonapi/write-options.ts'
import { Problem } from '../resource/problem.ts'
import type { Filter } from '../resource/query.ts'
import { periodsOf } from './availability.ts'
import { readBlockPeriods, readToldPeriods } from './availability-body.ts'
import { availabilityDescriptions as says } from './availability-descriptions.ts'
import { askingBy, leftIn } from './availability-facts.ts'
import { type Worked, workedAnswer } from './availability-list.ts'
import { type Moment, momentOf } from './availability-moment.ts'
import { longestOfEach, needAsked, needOf, typesOf } from './availability-needs.ts'
import { askedPeriod } from './availability-period.ts'
import { readAvailability } from './availability-question.ts'
import { freeUnits, type Need, periodRange } from './availability-units.ts'
import { blockUnit, tellUnitType } from './availability-update.ts'
import { reservation } from './resources/reservation.ts'
import { type Settings, settings } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { unitAvailability } from './resources/unit-availability.ts'
import { unitType } from './resources/unit-type.ts'
import { unitTypeAvailability } from './resources/unit-type-availability.ts'
import { isLive } from './status.ts'
import { nobody } from './unit-occupancy.ts'

const base = '/api/v2'
const path = 'availability'
const ofReservation = `${path}/reservations/:reservationId`

/** Unit types and stays that one list is worked out for. */
const most = 1_000

/** What is left to be sold, and which units are free. `now` is the clock's. */
export function availabilityRoutes(keeping: Keeping, now: () => number): Route[] {
  const { reader, door, resources } = keeping
  const asking = askingBy(reader)

  /** The house as it is at the moment of a request, all of it of one state of the store. */
  function atOnce<T>(work: (house: Settings, moment: Moment) => T): T {
    return reader.snapshot(() => {
      const [house] = reader.rows(settings, { filters: [], sort: [], page: { size: 1 } })
      if (!house) throw new Error('the property has no settings')
      return work(house, momentOf(now(), house))
    })
  }

  function listUnitTypes(request: Request): Promise<Answer> {
    const names = ['startDate', 'endDate', 'unitTypeId'] as const
    const { asked, filters } = readAvailability(resources, unitTypeAvailability, names, request.query)
    const all = atOnce((_, moment) => {
      const dates = askedPeriod(filters, moment.today)
      return typesAsked(filters.unitTypeId).flatMap((of) =>
        periodsOf(leftIn(asking, of, dates, moment)).map((period) => ({ of, ...period })),
      )
    })
    const list = { resource: unitTypeAvailability, by: 'unitTypeId', target: unitType, all }
    return workedAnswer(keeping, list, asked, request)
  }

  function typesAsked(idOrCode: string | undefined): string[] {
    if (idOrCode === undefined) {
      return reader.rows(unitType, { filters: [], sort: [], page: { size: most } }).map(({ id }) => id)
    }
    const id = reader.idOf(unitType, idOrCode)
    return id === null ? [] : [id]
  }

  function listUnits(request: Request): Promise<Answer> {
    const { asked, filters } = unitQuestion(['startDate', 'endDate', 'unitId', 'unitTypeId'], request)
    return unitsAnswer(request, asked, (house, moment) => {
      const dates = askedPeriod(filters, moment.today)
      const range = periodRange(dates, house)
      return unitsFor({ dates, range }, filtersOf(filters), moment)
    })
  }

  function listForReservation(request: Request): Promise<Answer> {
    const { asked, filters } = unitQuestion(['stayId', 'unitId', 'unitTypeId'], request)
    return unitsAnswer(request, asked, (_, moment) => {
      const stays = staysOf(request).filter(({ status }) => isLive(status))
      const wanted = stays.filter(({ id }) => filters.stayId === undefined || filters.stayId === id)
      return wanted.flatMap((each) =>
        ofTypes(typesOf(each, 'lacking')).flatMap((type) =>
          unitsFor(needOf(each), [type, ...filtersOf(filters)], moment),
        ),
      )
    })
  }

  function listForStay(request: Request): Promise<Answer> {
    const { asked, filters } = unitQuestion(['startDate', 'endDate', 'unitId', 'unitTypeId'], request)
    return unitsAnswer(request, asked, (house, moment) => {
      const row = staysOf(request).find(({ id }) => id === request.params.stayId?.toLowerCase())
      if (!row) throw new Problem('not-found', 'The reservation has no such stay.')
      const need = needAsked(row, filters, house, moment)
      const types = filters.unitTypeId === undefined ? ofTypes(typesOf(row, 'all')) : [null]
      return types.flatMap((type) => unitsFor(need, [...(type ? [type] : []), ...filtersOf(filters)], moment))
    })
  }

  function unitQuestion<const Name extends string>(names: readonly Name[], request: Request) {
    return readAvailability(resources, unitAvailability, names, request.query)
  }

  function unitsAnswer(
    request: Request,
    asked: Parameters<typeof workedAnswer>[2],
    work: (house: Settings, moment: Moment) => Worked[],
  ): Promise<Answer> {
    const all = longestOfEach(atOnce(work))
    const list = { resource: unitAvailability, by: 'unitId', target: unit, all }
    return workedAnswer(keeping, list, asked, request)
  }

  function unitsFor(need: Need, where: Filter[], moment: Moment): Worked[] {
    const { first, last } = need.dates
    const found = freeUnits(asking, where, need, moment)
    return found.map(({ id }) => ({ of: id, startDate: first, endDate: last, quantity: 1 }))
  }

  function filtersOf({ unitId, unitTypeId }: { unitId?: string; unitTypeId?: string }): Filter[] {
    const type = unitTypeId === undefined ? undefined : (reader.idOf(unitType, unitTypeId) ?? nobody)
    return [
      ...(unitId === undefined ? [] : [{ path: 'id', operator: 'eq', value: unitId } as const]),
      ...(type === undefined ? [] : [{ path: 'unitTypeId', operator: 'eq', value: type } as const]),
    ]
  }

  function staysOf({ params }: Request): Stay[] {
    const id = reader.idOf(reservation, params.reservationId ?? '')
    if (id === null) throw new Problem('not-found', 'There is no such reservation.')
    const filters: Filter[] = [{ path: 'reservationId', operator: 'eq', value: id }]
    return reader.rows(stay, { filters, sort: [], page: { size: most } })
  }

  async function tell(request: Request): Promise<Answer> {
    const { unitTypeId = '' } = request.params
    const periods = await readToldPeriods(await request.body())
    const input = { unitTypeId, periods, revision: expectedRevision(request) }
    await door.write(tellUnitType, input, writeOptions(request))
    return noContent()
  }

  async function block(request: Request): Promise<Answer> {
    const { unitId = '' } = request.params
    const periods = await readBlockPeriods(await request.body())
    const input = { unitId, periods, revision: expectedRevision(request) }
    return noContent((await door.write(blockUnit, input, writeOptions(request))).revision)
  }

  const get = { method: 'GET', base, scope: unitAvailability.scopes.read, beta: true } as const
  const patch = { method: 'PATCH', base, beta: true, largestBody: largeBody } as const
  const [telling, blocking] = [unitTypeAvailability.scopes.write, unitAvailability.scopes.write]
  return [
    { ...get, path: `${path}/unit-types`, handle: listUnitTypes, description: says.listUnitTypes },
    {
      ...patch,
      scope: telling,
      path: `${path}/unit-types/:unitTypeId`,
      handle: tell,
      description: says.tell,
    },
    { ...get, path: `${path}/units`, handle: listUnits, description: says.listUnits },
    { ...patch, scope: blocking, path: `${path}/units/:unitId`, handle: block, description: says.block },
    {
      ...get,
      path: `${ofReservation}/units`,
      handle: listForReservation,
      description: says.listForReservation,
    },
    {
      ...get,
      path: `${ofReservation}/stays/:stayId/units`,
      handle: listForStay,
      description: says.listForStay,
    },
  ]
}

function ofTypes(ids: readonly string[]): Filter[] {
  return ids.map((value) => ({ path: 'unitTypeId', operator: 'eq', value }))
}
