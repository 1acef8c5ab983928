import type { Clock } from '../../host/clock.ts'
import type { Description } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { type RequestedQuery, readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, largeBody, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import type { ListSource } from '../../jsonapi/serializer.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { momentAt } from '../resources/house.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import {
  answerOf,
  findStays,
  onFileParameter,
  readGuestSearch,
  withoutOnFile,
} from '../search/guest-search.ts'
import { findsOnly, refusingStrangers, tooMuchWrong } from '../stays/rules/expect-guest.ts'
import { readReservation } from '../stays/stay-body.ts'
import { rightsOf } from '../stays/stay-routes.ts'
import type { ReservationCommands } from './reservation-commands.ts'
import { expectSomeGuest, foundSchema, namedSchema, provenSchema, shownToGuest } from './shown-to-guest.ts'

const base = '/api/v2'
const route = routesAt(base)
const one = 'reservations/:reservationId'

type Now = Pick<Clock, 'now'>

/** The routes of whole reservations with their stays. */
export function wholeReservationRoutes(store: Store, commands: ReservationCommands, clock: Now): Route[] {
  const { read, write } = reservation.scopes
  const list = (request: Request) => listReservations(store, clock, request)
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

/** A caller that may only find single stays gets those that its guest has found: see `readGuestSearch`. */
async function listReservations(store: Store, clock: Now, request: Request): Promise<Answer> {
  const { caller, query } = request
  if (!findsOnly(caller))
    return listAnswer(store, reservation, readQuery(store.resources, reservation, query), request)
  const { rest, onFile } = withoutOnFile(query)
  const asked = readQuery(store.resources, reservation, rest)
  const search = readGuestSearch(asked.query.filters, onFile)
  const found = findStays(store.reader, search, momentAt(store.reader, clock.now()))
  const said = answerOf(asked.query.filters, onFile)
  if ((await caller.guests.found(found.asked, found.factors, said)) === 'refused') throw tooMuchWrong()
  const answer = await listAnswer(store, reservation, asked, request, listOf(store, asked, found))
  return shownToGuest({ reader: store.reader, now: clock.now() }, caller, answer, found)
}

/** The reservations that a guest has found, as the source of a list. They are on one page. */
function listOf(
  { reader, serializer }: Store,
  { fields }: RequestedQuery,
  { reservationIds }: { reservationIds: readonly string[] },
): ListSource {
  const shape = serializer.shape(reservation, fields.get(reservation.type))
  const documents = () => reservationIds.map((id) => reader.document(reservation, id, shape))
  return {
    page: () => ({ documents: documents(), more: false }),
    total: () => reservationIds.length,
    related: (ids, relationship) => reader.related(reservation, ids, relationship),
  }
}

/** A caller that may only find single stays reads the reservation of a guest who has given a proof. */
export function readByGuest({ reader }: Store, clock: Now, { handle, ...route }: Route): Route {
  async function ofGuest(request: Request): Promise<Answer> {
    const { caller, params } = request
    const id = reader.idOf(reservation, params.id ?? '')
    if (id !== null) expectSomeGuest(reader, caller, id)
    return shownToGuest({ reader, now: clock.now() }, caller, await handle(request))
  }

  const read = (request: Request) => (findsOnly(request.caller) ? ofGuest(request) : handle(request))
  return { ...refusingStrangers(route), handle: read }
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
  'registration-required',
  'payment-currency-mismatch',
  'resource-referenced',
] as const

const says = {
  list: {
    ...plain.list,
    notes: `Without the scope reservations.read, a search is by an exact number, or by last name and day of arrival, and finds a guest's own stays.
The last name is that of a guest of the stay, whole. The guest has proven to be that of a stay when a number and the last name were right, or the last name,
the day and something on file, in one search or in searches that follow each other. \`meta.proven\` names these stays, and \`meta.named\` those of their guests who have the name, in any spelling. Of the others, the answer has the dates and the status.`,
    query: {
      [onFileParameter]: {
        schema: { type: 'string', maxLength: 254 },
        notes:
          'Something that the profile of the named guest has: an e-mail address, a postcode, or at least the last four digits of a telephone number. Only without the scope reservations.read.',
      },
    },
    answers: {
      200: { list: reservation, part: foundSchema, meta: { proven: provenSchema, named: namedSchema } },
    },
    problems: ['kiosk-scope'],
  },
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
