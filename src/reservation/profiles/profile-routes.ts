import { bodyReader } from '../../jsonapi/body.ts'
import type { Description } from '../../jsonapi/description.ts'
import { singleAnswer } from '../../jsonapi/document-answers.ts'
import { readMemberQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Caller, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { completed } from '../../resource/attributes.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { profile } from '../resources/profile.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { findsOnly } from '../stays/rules/expect-guest.ts'
import { isLive, stayStatuses } from '../stays/rules/status-rules.ts'
import { profileTypeOf } from '../values/profile-type.ts'
import { createProfile } from './create-profile.ts'

const base = '/api/v2'
const route = routesAt(base)
const one = 'profiles/:profileId'
const { type } = profile

const id = ({ params }: Request) => params.profileId ?? ''
const body = bodyReader(profile, { type: {} })

/**
 * The routes that read and write single profiles. A kiosk can read and write only the profiles of guests who are
 * expected or in house.
 */
export function profileRoutes(store: Store): Route[] {
  const scope = 'profiles.write-own'
  const deprecated = `PUT ${base}/${one}`
  const read = (request: Request) => readProfile(store, request)
  const create = (request: Request) => createOne(store, request)
  const update = (whole: boolean) => (request: Request) => updateProfile(store, request, whole)
  return [
    route('GET', one, 'profiles.read-own', says.read, read),
    route('POST', 'profiles', 'profiles.write', says.create, create),
    route('PUT', one, scope, says.replace, update(true)),
    { ...route('PATCH', one, scope, says.patch, update(false)), deprecated },
  ]
}

function readProfile(store: Store, request: Request): Answer {
  const { reader, resources, serializer } = store
  expectOwn(reader, request, 'profiles.read')
  const asked = readMemberQuery(resources, profile, request.query)
  const document = reader.document(profile, id(request), serializer.shape(profile, asked.fields.get(type)))
  return singleAnswer(store, profile, document, asked, request)
}

async function createOne({ writer }: Store, request: Request): Promise<Answer> {
  const attributes = profileTypeOf(await body.create(await request.body()))
  return created(profile, await writer.execute(createProfile, { attributes }, writeOptions(request)))
}

async function updateProfile(store: Store, request: Request, whole: boolean): Promise<Answer> {
  const { writer, plain, reader } = store
  expectOwn(reader, request, 'profiles.write')
  const input = profileTypeOf(await (whole ? body.create : body.patch)(await request.body()))
  const update = { type, id: id(request), revision: expectedRevision(request) }
  const options = writeOptions(request)
  if (request.caller.may('profiles.write')) {
    const command = whole ? plain.replace : plain.patch
    return noContent((await writer.execute(command, { ...update, attributes: input }, options)).revision)
  }
  expectOwnNumbers(reader, request, input)
  // What the caller may not write is left out, so the command keeps it as it is by then.
  const { externalId: _, number: __, ...attributes } = whole ? completed(profile.fields, input) : input
  return noContent((await writer.execute(plain.patch, { ...update, attributes }, options)).revision)
}

/**
 * Throws 403 `kiosk-scope` for a caller without the scope `whole`, unless the profile is on a live stay. At a kiosk its guest has given
 * a proof for that stay.
 */
function expectOwn(reader: Reader, { caller, params }: Request, whole: string): void {
  if (caller.may(whole)) return
  const profileId = reader.idOf(profile, params.profileId ?? '')
  if (liveStays(reader, caller, profileId).length > 0) return
  throw new Problem(
    'kiosk-scope',
    'The profile is on no stay of today or later, or not that of the guest who has found a stay here.',
    { meta: { scope: whole } },
  )
}

function liveStays(reader: Reader, caller: Caller, profileId: string | null): Stay[] {
  if (findsOnly(caller)) {
    const own = caller.guests.all().flatMap((id) => reader.row(stay, id) ?? [])
    return own.filter(
      ({ status, profiles }) => isLive(status) && profiles?.some(({ id }) => id === profileId),
    )
  }
  return stayStatuses.filter(isLive).flatMap((status) => {
    const filters = [
      { path: 'profiles.id', operator: 'eq' as const, value: profileId },
      { path: 'status', operator: 'eq' as const, value: status },
    ]
    return reader.rows(stay, { filters, sort: [], page: { size: 1 } })
  })
}

/** Throws 403 `kiosk-scope` when a caller without profiles.write sends another externalId or number: the PMS finds the profile by them. */
function expectOwnNumbers(reader: Reader, request: Request, attributes: Record<string, unknown>): void {
  const kept = reader.row(profile, id(request))
  const numbers = { externalId: kept?.externalId ?? null, number: kept?.number ?? null }
  for (const [name, value] of Object.entries(numbers)) {
    if (attributes[name] === undefined || attributes[name] === value) continue
    throw new Problem('kiosk-scope', `${name} needs the scope profiles.write.`, {
      pointer: `/${name}`,
      meta: { scope: 'profiles.write' },
    })
  }
}

const plain = resourceDescriptions(profile)
const extra = { type: { description: 'A profile type here is used as profileType if that is missing.' } }
const problems = ['kiosk-scope'] as const

const says = {
  read: { ...plain.read, problems },
  create: {
    ...plain.create,
    body: { of: profile, extra },
    problems: ['person-known', 'external-id-conflict'],
  },
  replace: { ...plain.replace, body: { of: profile, extra }, problems },
  patch: { ...plain.patch, body: { of: profile, partial: true, extra }, problems },
} satisfies Record<string, Description>
