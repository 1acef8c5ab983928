import type { Description } from '../../jsonapi/description.ts'
import { isObject } from '../../jsonapi/envelope.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Answer, Request, Route } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/validate.ts'
import { etag, expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import { closedObject } from '../../reservation/value-schema.ts'
import type { ProblemCode } from '../../resource/problem.ts'
import { type Owner, owners } from '../resources/conflict-policy.ts'
import { syncConflict } from '../resources/sync-conflict.ts'
import type { SyncChanges } from './sync-changes.ts'

const one = 'sync-conflicts/:id/actions'

/** What a person does about a conflict: agree, or have the other side count. Lists are those of the resource. */
export function conflictRoutes(
  { writer }: Pick<Store, 'writer'>,
  { chooseInConflict }: Pick<SyncChanges, 'chooseInConflict'>,
): Route[] {
  async function chosen(request: Request, counts?: Owner): Promise<Answer> {
    const input = { id: request.params.id ?? '', counts, revision: expectedRevision(request) }
    const { text, revision } = await writer.execute(chooseInConflict, input, writeOptions(request))
    return { status: 200, text: `{"data":${text}}`, headers: { ETag: etag(revision) } }
  }

  const action = (name: 'choose' | 'accept', handle: Route['handle']): Route => ({
    method: 'POST',
    path: `${one}/${name}`,
    base: syncConflict.base,
    scope: syncConflict.scopes.write,
    handle,
    description: says[name],
  })
  return [
    action('choose', async (request) => chosen(request, await saidIn(request))),
    action('accept', (request) => chosen(request)),
  ]
}

const choiceSchema = closedObject({ counts: { enum: owners } }, ['counts'])

async function saidIn(request: Request): Promise<Owner> {
  const body = (await request.body()) ?? {}
  const inside = isObject(body) && isObject(body.data) ? (body.data.attributes ?? {}) : body
  await validate(choiceSchema, inside)
  return (inside as { counts: Owner }).counts
}

/** What the rules of the house may have against it. */
const refusals: readonly ProblemCode[] = [
  'revision-mismatch',
  'conflict-resolved',
  'unit-occupied',
  'unit-blocked',
  'unit-change-refused',
  'unit-required',
  'stay-status-transition',
  'balance-outstanding',
]

const says = {
  choose: {
    id: 'chooseInSyncConflict',
    summary: 'Choose the side whose value counts in a conflict with a PMS',
    notes:
      'If the value of the other side counts now, the chosen value is applied by the rules of the property and sent to the PMS. The choice can be changed as long as the conflict is not settled.',
    body: { schema: choiceSchema, type: syncConflict.type, example: { counts: 'Local' } },
    answers: { 200: { one: syncConflict } },
    problems: refusals,
  },
  accept: {
    id: 'acceptSyncConflict',
    summary: 'Agree with the value that counts in a conflict with a PMS',
    answers: { 200: { one: syncConflict } },
    problems: ['revision-mismatch'],
  },
} satisfies Record<string, Description>
