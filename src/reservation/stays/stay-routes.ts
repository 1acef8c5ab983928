import { type Description, exactly } from '../../jsonapi/description.ts'
import { documentAnswer, listAnswer, singleAnswer } from '../../jsonapi/document-answers.ts'
import { preferredLanguage } from '../../jsonapi/locales/language.ts'
import { messagesSchema, shownMessage } from '../../jsonapi/locales/message.ts'
import { readMemberQuery, readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { largeBody, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { etag, expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { exampleId } from '../../resource/example-id.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { staysIn } from './find-stays.ts'
import { expectGuest, findsOnly, ofGuest } from './rules/expect-guest.ts'
import { narrowed } from './rules/narrowed.ts'
import { readStay, readStayList } from './stay-body.ts'
import type { SetByBox, StayCommands } from './stay-commands.ts'
import type { StayRights } from './stay-rights.ts'

const base = '/api/v2'
const route = routesAt(base)
const all = 'reservations/:reservationId/stays'
const one = `${all}/:stayId`

/** Returns what the caller's scopes allow on stays. */
export function rightsOf({ caller, params }: Request): StayRights {
  return {
    write: caller.may('reservations.write'),
    checkIn: caller.may('stays.checkin'),
    checkOut: caller.may('stays.checkout'),
    reinstate: caller.may('reservations.reinstate'),
    overbook: caller.role === 'integrator',
    ...(findsOnly(caller) && { atKiosk: caller.guests.proof((params.stayId ?? '').toLowerCase()) }),
  }
}

/** What the routes of stays do with a request. */
function stayHandlers(store: Store, commands: StayCommands) {
  const { writer, reader, resources, serializer } = store

  function parentId({ params }: Request): string {
    const found = reader.idOf(reservation, params.reservationId ?? '')
    if (found === null) throw new Problem('not-found', 'There is no such reservation.')
    return found
  }

  function list(request: Request) {
    const reservationId = parentId(request)
    for (const { id } of staysIn(reader, reservationId)) expectGuest(request.caller, id)
    const asked = narrowed(readQuery(resources, stay, request.query), 'reservationId', reservationId)
    return listAnswer(store, stay, asked, request)
  }

  function read(request: Request) {
    const asked = readMemberQuery(resources, stay, request.query)
    const { stayId = '' } = request.params
    if (reader.row(stay, stayId)?.reservationId !== parentId(request))
      throw new Problem('not-found', 'The reservation has no such stay.')
    const document = reader.document(stay, stayId, serializer.shape(stay, asked.fields.get(stay.type)))
    return singleAnswer(store, stay, document, asked, request)
  }

  async function add(request: Request) {
    const { reservationId, revision } = ids(request)
    const stay = await readStay(await request.body(), { whole: true })
    const input = { reservationId, revision, stay, rights: rightsOf(request) }
    const { id, revision: first, text } = await writer.execute(commands.addStay, input, writeOptions(request))
    const Location = `${base}/reservations/${reservationId}/stays/${id}`
    return { status: 201, text: `{"data":${text}}`, headers: { Location, ETag: etag(first) } }
  }

  const update = (whole: boolean) => async (request: Request) => {
    const kept = () => reader.row(stay, ids(request).stayId)
    const given = await readStay(await request.body(), { whole, kept })
    return change(request, { stay: given, whole })
  }

  const updateList = (name: 'units' | 'services') => async (request: Request) =>
    change(request, { stay: await readStayList(name, await request.body()), whole: false })

  async function change(
    request: Request,
    given: Pick<Parameters<typeof commands.updateStay.run>[1], 'stay' | 'whole'>,
  ) {
    const input = { ...ids(request), ...given, rights: rightsOf(request) }
    const options = writeOptions(request)
    const { revision, hasEntered, set } = await writer.execute(commands.updateStay, input, options)
    if (hasEntered && !options.dryRun) request.caller.guests.checkedIn(input.stayId.toLowerCase())
    // The interface answers a stored status with 204.
    if (!set || (set.message.code === 'fee-fixed' && !options.dryRun)) return noContent(revision)
    return documentAnswer(set.document, { messages: [shown(request, set.message)] })
  }

  async function remove(request: Request) {
    await writer.execute(commands.deleteStay, ids(request), writeOptions(request))
    return noContent()
  }

  return { list, read, add, update, updateList, remove }
}

/** The routes of the stays of a reservation. */
export function stayRoutes(store: Store, commands: StayCommands): Route[] {
  const { list, read, add, update, updateList, remove } = stayHandlers(store, commands)
  const { read: find, write } = stay.scopes
  const deprecated = `PUT ${base}/${one}`
  const largestBody = largeBody
  return [
    route('GET', all, find, says.list, list),
    ofGuest(route('GET', one, find, says.read, read)),
    { ...route('POST', all, write, says.add, add), largestBody },
    ofGuest({ ...route('PUT', one, 'stays.update', says.replace, update(true)), largestBody }),
    ofGuest({ ...route('PATCH', one, 'stays.update', says.patch, update(false)), largestBody, deprecated }),
    route('DELETE', one, write, says.remove, remove),
    { ...route('PUT', `${one}/units`, write, says.units, updateList('units')), deprecated },
    { ...route('PUT', `${one}/services`, write, says.services, updateList('services')), deprecated },
  ]
}

const shown = (request: Request, message: SetByBox) =>
  shownMessage(preferredLanguage(request.header('accept-language')), message)

function ids(request: Request) {
  const { reservationId = '', stayId = '' } = request.params
  return { reservationId, stayId, revision: expectedRevision(request) }
}

const plain = resourceDescriptions(stay)

const changing = [
  'unit-change-refused',
  'balance-outstanding',
  'registration-required',
  'payment-currency-mismatch',
] as const
const ofLists = [...stay.problems, ...changing, 'reference-unknown'] as const

const says = {
  list: {
    summary: 'List the stays of a reservation',
    answers: { 200: { list: stay } },
    problems: ['kiosk-scope'],
  },
  read: { ...plain.read, summary: 'Read a stay of a reservation' },
  add: { ...plain.create, summary: 'Add a stay to a reservation', problems: ['revision-mismatch'] },
  replace: {
    ...plain.replace,
    notes: `Fields that the body omits get their defaults or are cleared. Check-in, check-out and cancellation are changes of
status. The body states the price of its dates; a PATCH without \`amount\` lets the price follow the dates.`,
    problems: changing,
  },
  patch: {
    ...plain.patch,
    body: { of: stay, partial: true, example: { comment: 'Late.' } },
    notes: `A price that the body does not state follows the dates: nights that the stay keeps cost what they did, and each new
night costs what the last one did. A price without prices of its nights changes in proportion to the nights. Then the answer is 200
with the stay, and \`meta.messages\` says what the price was and is. A day use counts as one night. To keep the price, send
\`amount\`. The price of a stay that is checked out does not change. With
\`dryRun\` a cancellation or a no-show with a fee is answered in the same way: so the desk says the fee before.`,
    answers: {
      ...plain.patch.answers,
      200: { one: stay, meta: exactly({ messages: messagesSchema }), sometimes: true },
    },
    problems: changing,
  },
  remove: { ...plain.remove, summary: 'Delete a stay that is not the last one', problems: ['last-stay'] },
  units: {
    summary: 'Replace the units of a stay',
    body: listBody(stay.fields.units.schema, { unitTypeId: exampleId('unit-type') }),
    answers: { 204: {} },
    problems: ofLists,
  },
  services: {
    summary: 'Replace the services of a stay',
    body: listBody(stay.fields.services.schema, { serviceId: exampleId('service'), count: 1 }),
    answers: { 204: {} },
    problems: ofLists,
  },
} satisfies Record<string, Description>

function listBody(schema: JsonSchema, item: object) {
  const enveloped = { type: 'object', properties: { data: schema }, required: ['data'] }
  return { schema: { anyOf: [schema, enveloped] }, example: [item] }
}
