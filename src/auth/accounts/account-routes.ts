import { bodyReader } from '../../jsonapi/body.ts'
import type { Description } from '../../jsonapi/description.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { answerWithCode, codeSchema, type MadeCode, shownOnce } from '../code-shown-once.ts'
import { type Account, account } from '../resources/account.ts'
import { expectOwn } from '../rights/own-rights.ts'
import { isScope } from '../scopes.ts'
import { codeValidMs, markOfCode, newCode } from '../secrets/one-time-code.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import {
  changeAccount,
  createAccount,
  type NewAccount,
  removeAccount,
  resetAccount,
} from './account-commands.ts'

const route = routesAt('/api/config/v1')

/**
 * Returns the routes that make, change, reset and delete accounts. A caller can manage only accounts whose scopes the
 * caller also has. Only the person of an account learns its password and passcode.
 */
export function accountRoutes(desk: SessionDesk): Route[] {
  const writing = (method: Route['method'], path: string, description: Description, answer: typeof create) =>
    route(method, path, 'accounts.write', description, (request) => answer(desk, request))
  return [
    writing('POST', 'accounts', says.create, create),
    writing('PATCH', 'accounts/:id', says.patch, change),
    writing('DELETE', 'accounts/:id', says.remove, remove),
    writing('POST', 'accounts/:id/actions/reset', says.reset, reset),
  ]
}

const body = bodyReader(account)

async function create(desk: SessionDesk, request: Request): Promise<Answer> {
  const attributes = expectScopes((await body.create(await request.body())) as Partial<NewAccount>)
  expectOwn(request.caller, attributes as NewAccount, 'account')
  const options = writeOptions(request)
  const made = codeFor(desk)
  const document = await desk.writer.execute(
    createAccount,
    { ...(attributes as NewAccount), ...made.stored },
    options,
  )
  return created(account, document, shownOnce(made, options))
}

async function change(desk: SessionDesk, request: Request): Promise<Answer> {
  const kept = expectHandled(desk, request)
  const attributes = expectScopes((await body.patch(await request.body(), () => kept)) as Partial<NewAccount>)
  expectOwn(request.caller, { ...kept, ...attributes }, 'account')
  const input = { id: kept.id, revision: expectedRevision(request), attributes }
  return noContent((await desk.writer.execute(changeAccount, input, writeOptions(request))).revision)
}

async function remove(desk: SessionDesk, request: Request): Promise<Answer> {
  const { id } = expectHandled(desk, request)
  const input = { id, revision: expectedRevision(request) }
  await desk.writer.execute(removeAccount, input, writeOptions(request))
  return noContent()
}

async function reset(desk: SessionDesk, request: Request): Promise<Answer> {
  await request.body()
  const { id } = expectHandled(desk, request)
  const options = writeOptions(request)
  const made = codeFor(desk)
  const input = { id, revision: expectedRevision(request), ...made.stored }
  return answerWithCode(await desk.writer.execute(resetAccount, input, options), made, options)
}

/** Returns the account that the path names. Throws not-found, and scope-required when it has more rights. */
function expectHandled({ reader }: SessionDesk, { params, caller }: Request): Account {
  const kept = reader.row(account, params.id ?? '')
  if (!kept) throw new Problem('not-found', 'There is no such account.')
  expectOwn(caller, kept, 'account')
  return kept
}

function expectScopes(attributes: Partial<NewAccount>): Partial<NewAccount> {
  const strange = (attributes.scopes ?? []).find((scope) => !isScope(scope))
  if (strange === undefined) return attributes
  throw new Problem('validation-failed', `${strange} is not a scope.`, { pointer: '/scopes' })
}

function codeFor({ mark, now }: SessionDesk): MadeCode {
  const code = newCode()
  return { code, stored: { code: markOfCode(mark, code), codeEndsAt: now() + codeValidMs } }
}

const meta = codeSchema(
  'The one-time code with which the person sets password and passcode. It is shown only once.',
)

const plain = resourceDescriptions(account)
const says = {
  create: { ...plain.create, answers: { 201: { one: account, meta } } },
  patch: {
    ...plain.patch,
    notes: 'The sessions of an account end when it is disabled, and when it gains a right.',
  },
  remove: {
    ...plain.remove,
    notes: 'Its sessions end. Its name stays in the events and in the audit.',
    problems: ['last-administrator'],
  },
  reset: {
    id: 'resetAccount',
    summary: 'Take the secrets of an account away, and give its person a one-time code',
    notes:
      'The password, the passcode and all sessions of the account end at once. The person sets new secrets with the code, which is valid for three days. The administrator does not learn them.',
    answers: { 200: { one: account, meta } },
    problems: ['revision-mismatch'],
  },
} satisfies Record<string, Description>
