import { bodyReader, isObject } from '../jsonapi/body.ts'
import { readMemberQuery, readQuery, within } from '../jsonapi/query.ts'
import { created, type Keeping, resourceRoutes } from '../jsonapi/resource-routes.ts'
import { type Answer, etag, noContent, type Request, type Route } from '../jsonapi/route.ts'
import { listAnswer, singleAnswer } from '../jsonapi/speaker.ts'
import { validate } from '../jsonapi/validate.ts'
import { expectedRevision, writeOptions } from '../jsonapi/write-options.ts'
import { Problem } from '../resource/problem.ts'
import type { Filter } from '../resource/query.ts'
import { type AssignmentHints, assignReservation, assignStay } from './assign-unit.ts'
import type { ReservationChanges } from './reservation-changes.ts'
import { reservation } from './resources/reservation.ts'
import { stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { unitType } from './resources/unit-type.ts'
import { reservationResources } from './resources.ts'
import { readReservation, readStay } from './stay-body.ts'
import type { StayChanges } from './stay-changes.ts'
import { updateUnit } from './update-unit.ts'

interface Changes {
  stays: StayChanges
  reservations: ReservationChanges
}

/** Every operation of the reservation interface. */
export function reservationRoutes(keeping: Keeping, changes: Changes): Route[] {
  const plain = reservationResources.filter(({ type }) => type !== 'stay')
  return [
    ...plain.flatMap((each) => resourceRoutes(keeping, each)),
    ...wholeReservations(keeping, changes.reservations),
    ...staysOfReservations(keeping, changes.stays),
    ...assignments(keeping),
    ...units(keeping),
  ]
}

const base = '/api/v2'
const write = reservation.scopes.write
const one = 'reservations/:reservationId'
const id = (request: Request, name: string) => request.params[name] ?? ''

function wholeReservations(keeping: Keeping, changes: ReservationChanges): Route[] {
  const { door } = keeping
  const replace = (whole: boolean) => async (request: Request) => {
    const input = {
      id: id(request, 'reservationId'),
      whole,
      canReinstate: request.caller.may('reservations.reinstate'),
    }
    const body = await readReservation(await request.body())
    const change = changes.replaceReservation
    const revision = expectedRevision(request)
    return noContent(
      (await door.write(change, { ...input, ...body, revision }, writeOptions(request))).revision,
    )
  }
  return [
    {
      method: 'GET',
      path: 'reservations',
      base,
      scope: reservation.scopes.read,
      handle: (request) => {
        const asked = readQuery(keeping.resources, reservation, request.query)
        if (!request.caller.may('reservations.read')) expectNarrow(asked.query.filters)
        return listAnswer(keeping, reservation, asked, request)
      },
    },
    {
      method: 'POST',
      path: 'reservations',
      base,
      scope: write,
      handle: async (request) => {
        const input = { ...(await readReservation(await request.body())), source: sourceOf(request) }
        return created(reservation, await door.write(changes.createReservation, input, writeOptions(request)))
      },
    },
    { method: 'PUT', path: one, base, scope: write, handle: replace(true) },
    {
      method: 'PATCH',
      path: one,
      base,
      scope: write,
      handle: replace(false),
      deprecated: `PUT ${base}/${one}`,
    },
    {
      method: 'DELETE',
      path: one,
      base,
      scope: write,
      handle: async (request) => {
        const input = { id: id(request, 'reservationId'), revision: expectedRevision(request) }
        await door.write(changes.removeReservation, input, writeOptions(request))
        return noContent()
      },
    },
  ]
}

const exactNumbers = ['externalId', 'stays.externalId', 'reservationIds.value', 'reservationIds.searchForm']

/** A kiosk finds the guest in front of it, and nobody else: by an exact number, or by last name and day of arrival. */
function expectNarrow(filters: Filter[]): void {
  const asks = (...paths: string[]) =>
    filters.some(({ path, operator }) => operator === 'eq' && paths.includes(path))
  if (asks(...exactNumbers, ...exactNumbers.map((path) => `stays.${path}`))) return
  const lastName = ['profile.lastName', 'profiles.lastName', 'stays.profiles.lastName']
  if (asks(...lastName) && asks('arrival', 'stays.startDate')) return
  throw new Problem('kiosk-scope', 'Search by an exact number, or by last name and day of arrival.', {
    meta: { scope: 'reservations.read', allowed: [...exactNumbers, 'profile.lastName + arrival'] },
  })
}

const sources: Record<string, string> = { kiosk: 'Kiosk', frontdesk: 'FrontDesk', integrator: 'Pms' }

function sourceOf({ caller }: Request): string {
  return sources[caller.role] ?? 'Api'
}

function staysOfReservations(keeping: Keeping, changes: StayChanges): Route[] {
  const { door, reader, resources, speaker } = keeping
  const update = (how: { whole: boolean }) => async (request: Request) => {
    const input = {
      reservationId: id(request, 'reservationId'),
      stayId: id(request, 'stayId'),
      stay: await readStay(await request.body(), how),
      canReinstate: request.caller.may('reservations.reinstate'),
      revision: expectedRevision(request),
      ...how,
    }
    return noContent((await door.write(changes.updateStay, input, writeOptions(request))).revision)
  }
  const stayPath = `${one}/stays/:stayId`
  return [
    {
      method: 'GET',
      path: `${one}/stays`,
      base,
      scope: stay.scopes.read,
      handle: (request) => {
        const reservationId = parentId(keeping, request)
        const asked = within(readQuery(resources, stay, request.query), 'reservationId', reservationId)
        return listAnswer(keeping, stay, asked, request)
      },
    },
    {
      method: 'GET',
      path: stayPath,
      base,
      scope: stay.scopes.read,
      handle: (request) => {
        const asked = readMemberQuery(resources, stay, request.query)
        const reservationId = parentId(keeping, request)
        if (reader.row(stay, id(request, 'stayId'))?.reservationId !== reservationId) {
          throw new Problem('not-found', 'The reservation has no such stay.')
        }
        const shape = speaker.shape(stay, asked.fields.get('stay'))
        return singleAnswer(
          keeping,
          stay,
          reader.document(stay, id(request, 'stayId'), shape),
          asked,
          request,
        )
      },
    },
    {
      method: 'POST',
      path: `${one}/stays`,
      base,
      scope: write,
      handle: async (request) => {
        const body = await readStay(await request.body(), { whole: true })
        const input = {
          reservationId: id(request, 'reservationId'),
          stay: body,
          revision: expectedRevision(request),
        }
        const { id: stayId, revision, text } = await door.write(changes.addStay, input, writeOptions(request))
        const Location = `${base}/reservations/${id(request, 'reservationId')}/stays/${stayId}`
        return { status: 201, text: `{"data":${text}}`, headers: { Location, ETag: etag(revision) } }
      },
    },
    { method: 'PUT', path: stayPath, base, scope: 'stays.checkin', handle: update({ whole: true }) },
    {
      method: 'PATCH',
      path: stayPath,
      base,
      scope: 'stays.checkin',
      handle: update({ whole: false }),
      deprecated: `PUT ${base}/${stayPath}`,
    },
    {
      method: 'DELETE',
      path: stayPath,
      base,
      scope: write,
      handle: async (request) => {
        const input = {
          reservationId: id(request, 'reservationId'),
          stayId: id(request, 'stayId'),
          revision: expectedRevision(request),
        }
        await door.write(changes.removeStay, input, writeOptions(request))
        return noContent()
      },
    },
  ]
}

function parentId({ reader }: Keeping, request: Request): string {
  const found = reader.idOf(reservation, id(request, 'reservationId'))
  if (found === null) throw new Problem('not-found', 'There is no such reservation.')
  return found
}

const hintsSchema = {
  type: 'object',
  properties: {
    preferredUnitId: { type: 'string', format: 'uuid' },
    notes: { type: 'string', maxLength: 2000 },
  },
  additionalProperties: false,
}
const manyHintsSchema = {
  type: 'object',
  properties: {
    stays: {
      type: 'array',
      maxItems: 100,
      items: {
        ...hintsSchema,
        properties: { ...hintsSchema.properties, stayId: { type: 'string', format: 'uuid' } },
        required: ['stayId'],
      },
    },
  },
  additionalProperties: false,
}

function assignments({ door }: Keeping): Route[] {
  return [
    {
      method: 'POST',
      path: `${one}/stays/:stayId/unit-assignment`,
      base,
      scope: 'stays.checkin',
      handle: async (request): Promise<Answer> => {
        const hints = await readHints(request, hintsSchema)
        const input = { reservationId: id(request, 'reservationId'), stayId: id(request, 'stayId'), ...hints }
        const { text, revision } = await door.write(assignStay, input, writeOptions(request))
        return { status: 200, text: `{"data":${text}}`, headers: { ETag: etag(revision) } }
      },
    },
    {
      method: 'POST',
      path: `${one}/unit-assignments`,
      base,
      scope: 'stays.checkin',
      handle: async (request): Promise<Answer> => {
        const { stays = [] } = (await readHints(request, manyHintsSchema)) as {
          stays?: ({ stayId: string } & AssignmentHints)[]
        }
        const hints = Object.fromEntries(stays.map((each) => [each.stayId, each]))
        const input = { reservationId: id(request, 'reservationId'), hints }
        const { document, assigned, unassigned } = await door.write(
          assignReservation,
          input,
          writeOptions(request),
        )
        return {
          status: 200,
          text: `{"data":${document.text},"meta":${JSON.stringify({ assigned, unassigned })}}`,
          headers: { ETag: etag(document.revision) },
        }
      },
    },
  ]
}

async function readHints(
  request: Request,
  schema: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body = (await request.body()) ?? {}
  const inside = isObject(body) && isObject(body.data) ? (body.data.attributes ?? {}) : body
  await validate(schema, inside)
  return inside as Record<string, unknown>
}

function units(keeping: Keeping): Route[] {
  const { door, reader, resources } = keeping
  const body = bodyReader(unit)
  const update = (whole: boolean) => async (request: Request) => {
    const attributes = await (whole ? body.create : body.patch)(await request.body())
    const input = {
      id: id(request, 'unitId'),
      attributes,
      whole,
      canInspect: request.caller.may('units.inspect'),
      revision: expectedRevision(request),
    }
    return noContent((await door.write(updateUnit, input, writeOptions(request))).revision)
  }
  return [
    { method: 'PUT', path: 'units/:unitId', base, scope: 'units.write', handle: update(true) },
    { method: 'PATCH', path: 'units/:unitId', base, scope: 'units.status', handle: update(false) },
    {
      method: 'GET',
      path: 'unit-types/:unitTypeId/units',
      base,
      scope: unit.scopes.read,
      handle: (request) => {
        const unitTypeId = reader.idOf(unitType, id(request, 'unitTypeId'))
        if (unitTypeId === null) throw new Problem('not-found', 'There is no such unit type.')
        const asked = within(readQuery(resources, unit, request.query), 'unitTypeId', unitTypeId)
        return listAnswer(keeping, unit, asked, request)
      },
    },
  ]
}
