import { bodyReader } from '../../jsonapi/body.ts'
import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { memberNames } from '../../jsonapi/document.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { expectNoParameters, readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { list as listOf, text, uuid } from '../../jsonapi/schemas/words.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { date } from '../../resource/fields.ts'
import { Problem } from '../../resource/problem.ts'
import { nullable } from '../../resource/schema.ts'
import { type RegistrationInput, registration } from '../resources/registration.ts'
import { ofGuest } from '../stays/rules/expect-guest.ts'
import { questionsFor } from './kiosk-registration.ts'
import { registerGuest } from './registration-commands.ts'
import { arrivalsCsv } from './registrations-of-day.ts'

const { base, path, scopes } = registration
const route = routesAt(base)
const csv = 'text/csv'
const typeOfMissing = 'missing-registrations'
const body = bodyReader(registration)

/** What one registration shows to those who may see it, and no list does. */
const guarded = new Set(registration.guarded.map(([name]) => name))

/**
 * The routes of registrations: a kiosk writes that of its guest and reads none, the front desk writes, lists and reads them, and
 * downloads those of a day. `nameOf` returns the name of an account, a station or a token.
 */
export function registrationRoutes(store: Store, nameOf: (actor: string) => string | null): Route[] {
  const { reader, writer, resources } = store

  async function register(request: Request): Promise<Answer> {
    const { caller, params } = request
    const { stayId = '', profileId = '' } = params
    const takenAtKiosk = !caller.may(scopes.write)
    const read = takenAtKiosk ? body.patch : body.create
    const input = {
      stayId,
      profileId,
      registration: (await read(await request.body())) as Partial<RegistrationInput>,
      revision: expectedRevision(request),
      takenByName: nameOf(caller.by),
      takenAtKiosk,
    }
    return noContent((await writer.execute(registerGuest, input, writeOptions(request))).revision)
  }

  function missing({ params, query }: Request): Answer {
    expectNoParameters(query)
    const { stayId = '' } = params
    const attributes = { missing: questionsFor(reader, stayId) }
    return {
      status: 200,
      text: JSON.stringify({ data: { type: typeOfMissing, id: stayId.toLowerCase(), attributes } }),
    }
  }

  function list(request: Request): Promise<Answer> {
    const asked = readQuery(resources, registration, request.query)
    const chosen = asked.fields.get(registration.type) ?? new Set(memberNames(registration))
    asked.fields.set(registration.type, chosen.difference(guarded))
    return listAnswer(store, registration, asked, request)
  }

  function ofDay({ params, query }: Request): Answer {
    expectNoParameters(query)
    const day = date().read(params.date ?? '')
    if (day === undefined || day !== params.date)
      throw new Problem('malformed-request', 'The path ends with a day, such as 2026-06-01.')
    const headers = { 'Content-Disposition': `attachment; filename="registrations-${day}.csv"` }
    return { status: 200, text: arrivalsCsv(reader, day), type: `${csv}; charset=utf-8`, headers }
  }

  return [
    ...resourceRoutes(store, registration).map(
      (each): Route => (each.path === path ? { ...each, handle: list } : each),
    ),
    ofGuest(
      route('PUT', `stays/:stayId/${path}/:profileId`, 'registrations.write-own', says.register, register),
    ),
    ofGuest(
      route('GET', 'stays/:stayId/missing-registrations', 'registrations.write-own', says.missing, missing),
    ),
    {
      ...route('GET', `${path}/by-arrival/:date`, 'registrations.read-document', says.ofDay, ofDay),
      speaks: [csv],
    },
  ]
}

const says = {
  register: {
    ...resourceDescriptions(registration).replace,
    id: 'registerGuest',
    summary: 'Register a guest of a stay',
    notes: `Creates the registration of this guest, or replaces it. The settings of the house say which fields it needs
(\`registrationFields\`). The answer has no document, because a kiosk reads none. A kiosk registers the guests of a stay for which a
guest has given a proof, before and during the stay, and may not send \`signedOnPaper\`. With a \`signature\` of null it says that the guest cannot sign there: the registration is kept,
and the guest is not checked in before the desk has the signature. What a kiosk omits stays as it was, and the name
is that of the profile where no other was given. \`acceptedRules\` names \`houseRulesVersion\` of the settings.`,
    problems: ['configuration-disabled', 'stay-status-transition', 'revision-mismatch'],
  },
  missing: {
    id: 'readMissingRegistrations',
    summary: 'Read what the guests of a stay are still asked for at a kiosk',
    notes: `One member for each guest whose registration is missing or not complete, with pointers such as \`/documentNumber\`, and never a value.
\`profileId\` is null for a stay whose guest has no name: only the front desk can register that guest. House rules are asked for again when their text has
changed since the guest accepted them. Nothing is missing where the house registers no guests, or the desk has set \`registrationWaiver\`.`,
    answers: {
      200: {
        schema: documentOf(
          typeOfMissing,
          exactly({ missing: listOf(exactly({ profileId: nullable(uuid), fields: listOf(text) })) }),
        ),
      },
    },
    problems: ['not-found', 'unknown-parameter'],
  },
  ofDay: {
    id: 'downloadRegistrations',
    summary: 'Download the guests who checked in on a day, for the authority',
    notes:
      'CSV in UTF-8 with a line of names. A guest without a registration is in it with the name and `no` in `isRegistered`.',
    path: { date: { schema: date().schema, notes: 'A day of the property.' } },
    answers: { 200: { schema: text, type: csv } },
    problems: ['malformed-request'],
  },
} satisfies Record<string, Description>
