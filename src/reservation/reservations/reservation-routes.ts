import type { Description } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, largeBody, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { expectNarrow } from '../stays/narrow-search.ts'
import { readReservation } from '../stays/stay-body.ts'
import { rightsOf } from '../stays/stay-routes.ts'
import type { ReservationCommands } from './reservation-commands.ts'

const base = '/api/v2'
const route = routesAt(base)
const one = 'reservations/:reservationId'

/** The routes of whole reservations with their stays. */
export function wholeReservationRoutes(store: Store, commands: ReservationCommands): Route[] {
  const { read, write } = reservation.scopes
  const list = (request: Request) => listReservations(store, request)
  const create = (request: Request) => createOne(store, commands, request)
  const update = (whole: boolean) => (request: Request) => updateOne(store, commands, request, whole)
  const remove = (request: Request) => removeOne(store, commands, request)
  const deprecated = `PUT ${base}/${one}`
  const patch = update(false)
  const writing = { base, scope: write, largestBody: largeBody } as const
  return [
    { ...route('GET', 'reservations', read, says.list, list), quota: 'search' },
    { method: 'POST', path: 'reservations', ...writing, handle: create, description: says.create },
    { method: 'PUT', path: one, ...writing, handle: update(true), description: says.replace },
    { method: 'PATCH', path: one, ...writing, handle: patch, deprecated, description: says.patch },
    route('DELETE', one, write, says.remove, remove),
  ]
}

/** Without the scope `reservations.read`, the filters must identify a guest: see `expectNarrow`. */
function listReservations(store: Store, request: Request): Promise<Answer> {
  const asked = readQuery(store.resources, reservation, request.query)
  if (!request.caller.may('reservations.read')) expectNarrow(asked.query.filters)
  return listAnswer(store, reservation, asked, request)
}

async function createOne({ writer }: Store, commands: ReservationCommands, request: Request) {
  const input = { ...(await readReservation(await request.body())), source: sourceOf(request) }
  const document = await writer.execute(commands.createReservation, input, writeOptions(request))
  return created(reservation, document)
}

async function updateOne(
  { writer }: Store,
  commands: ReservationCommands,
  request: Request,
  whole: boolean,
): Promise<Answer> {
  const input = {
    ...(await readReservation(await request.body())),
    id: request.params.reservationId ?? '',
    whole,
    rights: rightsOf(request),
    revision: expectedRevision(request),
  }
  const { revision } = await writer.execute(commands.replaceReservation, input, writeOptions(request))
  return noContent(revision)
}

async function removeOne({ writer }: Store, commands: ReservationCommands, request: Request) {
  const input = { id: request.params.reservationId ?? '', revision: expectedRevision(request) }
  await writer.execute(commands.removeReservation, input, writeOptions(request))
  return noContent()
}

const sources: Record<string, string> = { kiosk: 'Kiosk', frontdesk: 'FrontDesk', integrator: 'Pms' }

function sourceOf({ caller }: Request): string {
  return sources[caller.role] ?? 'Api'
}

const plain = resourceDescriptions(reservation)
const inside = { stays: stay }
const problems = [
  'unit-change-refused',
  'balance-outstanding',
  'payment-currency-mismatch',
  'resource-referenced',
] as const

const says = {
  list: { ...plain.list, problems: ['kiosk-scope'] },
  create: { ...plain.create, body: { of: reservation, inside } },
  replace: {
    ...plain.replace,
    notes: `Stays are matched by id, else by externalId, else by start and unit type. Stays that are left out are canceled or
deleted.`,
    body: { of: reservation, inside },
    problems,
  },
  patch: {
    ...plain.patch,
    body: { of: reservation, partial: true, inside, example: { comment: 'Late.' } },
    problems,
  },
  remove: plain.remove,
} satisfies Record<string, Description>
