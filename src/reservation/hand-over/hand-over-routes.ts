import { randomInt } from 'node:crypto'
import type { Clock } from '../../host/clock.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { listAnswer, metaAnswer } from '../../jsonapi/document-answers.ts'
import { parametersIn } from '../../jsonapi/envelope.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, expectAdmitted, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { moment, uuid } from '../../jsonapi/schemas/words.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { handOver } from '../resources/hand-over.ts'
import { closedObject } from '../values/value-schema.ts'
import { usable } from './hand-over-code.ts'
import { finishHandOver, type HandOverInput, makeHandOver, releaseStay } from './hand-over-commands.ts'

const { base, path, scopes } = handOver
const route = routesAt(base)

/** The routes of hand-overs: a kiosk makes one, and the front desk lists, reads and finishes them. */
export function handOverRoutes(store: Store, clock: Pick<Clock, 'now'>): Route[] {
  const { writer, resources } = store

  async function make(request: Request): Promise<Answer> {
    const parameters = await readParameters(request)
    const input = { stayId: request.params.stayId ?? '', start: randomInt(10_000), ...parameters }
    return created(handOver, await writer.execute(makeHandOver, input, writeOptions(request)))
  }

  /** Lists those whose code can be used. */
  function list(request: Request): Promise<Answer> {
    const asked = readQuery(resources, handOver, request.query)
    const query = { ...asked.query, filters: [...asked.query.filters, usable(clock.now())] }
    return listAnswer(store, handOver, { ...asked, query }, request)
  }

  /** Needs every scope for what a kiosk may then do. */
  async function release(request: Request): Promise<Answer> {
    expectAdmitted(request.caller, { scope: 'reservations.write' })
    const { stayId = '' } = request.params
    const until = await writer.execute(releaseStay, { stayId }, writeOptions(request))
    return metaAnswer({ stayId: stayId.toLowerCase(), until: new Date(until).toISOString() })
  }

  async function finish(request: Request): Promise<Answer> {
    const input = { id: request.params.id ?? '', revision: expectedRevision(request) }
    await writer.execute(finishHandOver, input, writeOptions(request))
    return noContent()
  }

  return [
    ...resourceRoutes(store, handOver).map((route) =>
      route.path === path ? { ...route, handle: list } : route,
    ),
    {
      ...route('POST', 'stays/:stayId/actions/hand-over', 'hand-overs.create', says.make, make),
      // Bounds how many codes a client can make, and how many ids it can try.
      quota: 'search',
    },
    route('POST', 'stays/:stayId/actions/release', 'keys.issue', says.release, release),
    route('DELETE', `${path}/:id`, scopes.write, says.finish, finish),
  ]
}

const { failure, step, language } = handOver.fields
const parametersSchema = closedObject({
  failure: failure.schema,
  step: step.schema,
  language: language.schema,
})

async function readParameters(
  request: Request,
): Promise<Pick<HandOverInput, 'failure' | 'step' | 'language'>> {
  const parameters = parametersIn((await request.body()) ?? {})
  await validate(parametersSchema, parameters)
  return parameters as Pick<HandOverInput, 'failure' | 'step' | 'language'>
}

const says = {
  make: {
    id: 'handOverStay',
    summary: 'Hand a stay over to the front desk',
    notes: `The answer has a code of four digits for the guest to tell at the front desk. It ends after four hours, or when the front
desk finishes the hand-over. A stay that is handed over again keeps its code. The event \`stay.handed-over\` reaches the desk at once.`,
    body: {
      schema: parametersSchema,
      type: handOver.type,
      optional: true,
      example: { failure: 'dispenser-jam', step: 'card', language: 'en' },
    },
    answers: { 201: { one: handOver } },
    problems: ['not-found', 'busy'],
  },
  release: {
    id: 'releaseStay',
    summary: 'Let a kiosk serve a guest whom the front desk knows',
    notes: `For 15 minutes a kiosk makes the guest of this stay one more original or copy of each unit, checks the guest in without a
payment, or checks the guest out if no card was made. The guest must still find the stay there. An open hand-over of the stay is
finished.`,
    answers: { 200: { schema: exactly({ meta: exactly({ stayId: uuid, until: moment }) }) } },
    problems: ['not-found', 'stay-status-transition'],
  },
  finish: { ...resourceDescriptions(handOver).remove, id: 'finishHandOver', summary: 'Finish a hand-over' },
} satisfies Record<string, Description>
