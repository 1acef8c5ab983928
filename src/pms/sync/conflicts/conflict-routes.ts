import type { Description } from '../../../jsonapi/description.ts'
import { documentAnswer } from '../../../jsonapi/document-answers.ts'
import { parametersIn } from '../../../jsonapi/envelope.ts'
import { type Language, preferredLanguage } from '../../../jsonapi/locales/language.ts'
import { shownMessage } from '../../../jsonapi/locales/message.ts'
import { resourceRoutes, type Store } from '../../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, textOf } from '../../../jsonapi/route.ts'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { expectedRevision, writeOptions } from '../../../jsonapi/write-options.ts'
import { closedObject } from '../../../reservation/values/value-schema.ts'
import type { ProblemCode } from '../../../resource/problem.ts'
import { type Owner, owners } from '../../resources/conflict-policy.ts'
import { syncConflict } from '../../resources/sync-conflict.ts'
import type { SyncChanges } from '../sync-changes.ts'
import { sentenceOf } from './conflict-sentence.ts'

const one = 'sync-conflicts/:id/actions'

/** The routes of conflicts: lists, and what a person does about one: agree, or have the other side count. */
export function conflictRoutes(
  store: Store,
  { chooseInConflict }: Pick<SyncChanges, 'chooseInConflict'>,
): Route[] {
  const { writer, reader } = store

  async function chosen(request: Request, counts?: Owner): Promise<Answer> {
    const input = { id: request.params.id ?? '', counts, revision: expectedRevision(request) }
    return documentAnswer(await writer.execute(chooseInConflict, input, writeOptions(request)))
  }

  const action = (name: 'choose' | 'accept', handle: Route['handle']): Route => ({
    method: 'POST',
    path: `${one}/${name}`,
    base: syncConflict.base,
    scope: syncConflict.scopes.write,
    handle,
    description: says[name],
  })
  const routes = [
    ...resourceRoutes(store, syncConflict),
    action('choose', async (request) => chosen(request, await saidIn(request))),
    action('accept', (request) => chosen(request)),
  ]
  return routes.map((route) => ({
    ...route,
    handle: async (request) => inLanguage(reader, request, await route.handle(request)),
  }))
}

interface ConflictDocument {
  id: string
  attributes: Record<string, unknown>
}

/** The answer with the sentences of its conflicts in the language of the request. */
function inLanguage(reader: Store['reader'], request: Request, answer: Answer): Answer {
  const text = textOf(answer)
  if (text === undefined) return answer
  const language = preferredLanguage(request.header('accept-language'))
  const document = JSON.parse(text) as { data: ConflictDocument | ConflictDocument[] }
  for (const each of [document.data].flat()) translate(reader, each, language)
  return { ...answer, text: JSON.stringify(document), describesMore: true }
}

function translate(reader: Store['reader'], { id, attributes }: ConflictDocument, language: Language): void {
  const messages = reader.row(syncConflict, id)?.messages
  if (!messages) return
  if ('sentence' in attributes) attributes.sentence = sentenceOf(language, messages)
  if ('messages' in attributes) attributes.messages = messages.map((each) => shownMessage(language, each))
}

const choiceSchema = closedObject({ counts: { enum: owners } }, ['counts'])

async function saidIn(request: Request): Promise<Owner> {
  const inside = parametersIn((await request.body()) ?? {})
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
