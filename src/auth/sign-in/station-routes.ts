import { bodyReader } from '../../jsonapi/body.ts'
import type { Description } from '../../jsonapi/description.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { answerWithCode, codeSchema, shownOnce } from '../code-shown-once.ts'
import { type StationKind, station } from '../resources/station.ts'
import { expectOwn } from '../rights/own-rights.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { newEnrolmentCode } from './enrolment-code.ts'
import {
  changeStation,
  createStation,
  type NewStation,
  newStationCode,
  removeStation,
} from './station-commands.ts'

const route = routesAt('/api/config/v1')

/** Returns the routes with which stations are made, changed and revoked. */
export function stationRoutes(desk: SessionDesk): Route[] {
  const writing = (method: Route['method'], path: string, description: Description, answer: typeof create) =>
    route(method, path, 'config.write', description, (request) => answer(desk, request))
  return [
    writing('POST', 'stations', says.create, create),
    writing('PATCH', 'stations/:id', says.patch, change),
    writing('DELETE', 'stations/:id', says.remove, remove),
    writing('POST', 'stations/:id/actions/enrolment-code', says.code, code),
  ]
}

const body = bodyReader(station)

async function create({ writer, mark, now }: SessionDesk, request: Request): Promise<Answer> {
  const attributes = (await body.create(await request.body())) as unknown as NewStation
  expectMayGive(request.caller, attributes.kind)
  const options = writeOptions(request)
  const made = newEnrolmentCode(mark, now())
  const document = await writer.execute(createStation, { ...attributes, ...made.stored }, options)
  return created(station, document, shownOnce(made, options))
}

async function change({ writer, reader }: SessionDesk, request: Request): Promise<Answer> {
  const id = request.params.id ?? ''
  const kept = reader.row(station, id)
  if (!kept) throw new Problem('not-found', 'There is no such station.')
  const attributes = (await body.patch(await request.body(), () => kept)) as Partial<NewStation>
  if (attributes.kind !== kept.kind) expectMayGive(request.caller, attributes.kind)
  const input = { id: kept.id, revision: expectedRevision(request), attributes }
  return noContent((await writer.execute(changeStation, input, writeOptions(request))).revision)
}

async function remove({ writer }: SessionDesk, request: Request): Promise<Answer> {
  const input = { id: request.params.id ?? '', revision: expectedRevision(request) }
  await writer.execute(removeStation, input, writeOptions(request))
  return noContent()
}

async function code({ writer, reader, mark, now }: SessionDesk, request: Request): Promise<Answer> {
  await request.body()
  expectMayGive(request.caller, reader.row(station, request.params.id ?? '')?.kind)
  const options = writeOptions(request)
  const made = newEnrolmentCode(mark, now())
  const input = { id: request.params.id ?? '', revision: expectedRevision(request), ...made.stored }
  return answerWithCode(await writer.execute(newStationCode, input, options), made, options)
}

/** A kiosk has rights without a person, so its maker must have these rights. Throws scope-required. */
export function expectMayGive(
  caller: Pick<Request['caller'], 'may'>,
  kind: StationKind | null | undefined,
): void {
  if (kind === 'kiosk') expectOwn(caller, { role: 'kiosk' }, 'kiosk')
}

const meta = codeSchema('The enrolment code of eight digits, for one browser. It is shown only once.')

const plain = resourceDescriptions(station)
const says = {
  create: { ...plain.create, answers: { 201: { one: station, meta } } },
  patch: { ...plain.patch, notes: 'When the kind changes, the sessions at the station end.' },
  remove: {
    ...plain.remove,
    notes: 'The sessions at the station end, and its browser is no station any more.',
  },
  code: {
    id: 'makeEnrolmentCode',
    summary: 'Make a code with which a browser becomes this station',
    notes:
      'The code is valid for 15 minutes. The browser that is the station now stays it until the code is used.',
    answers: { 200: { one: station, meta } },
    problems: ['revision-mismatch'],
  },
} satisfies Record<string, Description>
