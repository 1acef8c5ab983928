import type { Clock } from '../../host/clock.ts'
import type { Description } from '../../jsonapi/description.ts'
import { documentAnswer, listAnswer } from '../../jsonapi/document-answers.ts'
import { parametersIn } from '../../jsonapi/envelope.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { helpCall } from '../resources/help-call.ts'
import { closedObject } from '../values/value-schema.ts'
import { usable } from './hand-over-code.ts'
import { callForHelp, type HelpCallInput, takeHelpCall } from './help-call-commands.ts'

const { base, path, scopes } = helpCall
const route = routesAt(base)

/**
 * The routes of help calls: a kiosk makes one and reads it, and the front desk lists and takes them. `nameOf` returns the name of
 * the station or the token of a kiosk.
 */
export function helpCallRoutes(
  store: Store,
  clock: Pick<Clock, 'now'>,
  nameOf: (actor: string) => string | null,
): Route[] {
  const { reader, writer, resources } = store

  async function make(request: Request): Promise<Answer> {
    const { by } = request.caller
    const parameters = parametersIn((await request.body()) ?? {})
    await validate(parametersSchema, parameters)
    const input = { ...(parameters as Sent), kioskId: by, kioskName: nameOf(by) }
    return created(helpCall, await writer.execute(callForHelp, input, writeOptions(request)))
  }

  /** Lists those that have not ended. */
  function list(request: Request): Promise<Answer> {
    const asked = readQuery(resources, helpCall, request.query)
    const query = { ...asked.query, filters: [...asked.query.filters, usable(clock.now())] }
    return listAnswer(store, helpCall, { ...asked, query }, request)
  }

  /** Throws not-found for the call of another kiosk, unless the caller may list all. */
  function expectOwn({ caller, params }: Request): void {
    const id = params.id ?? ''
    if (caller.may(scopes.read) || reader.row(helpCall, id)?.kioskId === caller.by) return
    throw new Problem('not-found', `There is no ${helpCall.type} ${id.slice(0, 64)}.`)
  }

  async function take(request: Request): Promise<Answer> {
    const input = { id: request.params.id ?? '', revision: expectedRevision(request) }
    return documentAnswer(await writer.execute(takeHelpCall, input, writeOptions(request)))
  }

  return [
    ...resourceRoutes(store, helpCall).map((each): Route => {
      if (each.path === path) return { ...each, handle: list }
      const handle = (request: Request) => {
        expectOwn(request)
        return each.handle(request)
      }
      return { ...each, scope: 'hand-overs.create', handle }
    }),
    route('POST', path, 'hand-overs.create', says.make, make),
    route('POST', `${path}/:id/actions/take`, scopes.write, says.take, take),
  ]
}

type Sent = Pick<HelpCallInput, 'failure' | 'step' | 'language' | 'stayId'>

const { failure, step, language, stayId } = helpCall.fields
const parametersSchema = closedObject({
  failure: failure.schema,
  step: step.schema,
  language: language.schema,
  stayId: stayId.schema,
})

const says = {
  make: {
    ...resourceDescriptions(helpCall).create,
    id: 'callForHelp',
    summary: 'Call a person of the front desk to a kiosk',
    notes: `A kiosk has one call: it keeps the call that is open, and for three minutes the one that a person has taken for the same
stay. A call names no more than the guest's stay, which may be left out. The event \`help-call.made\` reaches the desk at once. A call
that no person takes is an alarm of the status after three minutes, and ends after an hour. Read it to see \`takenAt\`: then tell the guest that a colleague comes.`,
    body: {
      schema: parametersSchema,
      type: helpCall.type,
      optional: true,
      example: { failure: 'guest-asks', step: 'number', language: 'en' },
    },
    answers: { 201: { one: helpCall } },
    problems: [],
  },
  take: {
    id: 'takeHelpCall',
    summary: 'Say to a kiosk that a person is on the way',
    notes: 'Who was first stays so. The event `help-call.taken` ends the alarm of the other desks.',
    answers: { 200: { one: helpCall } },
    problems: ['not-found', 'revision-mismatch'],
  },
} satisfies Record<string, Description>
