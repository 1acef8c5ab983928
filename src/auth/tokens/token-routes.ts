import { bodyReader } from '../../jsonapi/body.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { documentAnswer } from '../../jsonapi/document-answers.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, type Store } from '../../jsonapi/resource-routes.ts'
import type { Answer, Request, Route } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { text, typedCode } from '../../jsonapi/schemas/words.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { expectPaired } from '../expect-paired.ts'
import type { Pairing } from '../pairing-code.ts'
import { type Token, token } from '../resources/token.ts'
import { expectOwn } from '../rights/own-rights.ts'
import type { Role } from '../roles.ts'
import { isScope } from '../scopes.ts'
import { digest, newToken, type TokenEnvironment } from '../secrets/token-format.ts'
import { createToken, type NewToken, removeToken, rotateToken } from './token-commands.ts'

const base = '/api/config/v1'

type Tokens = Pick<Store, 'writer' | 'reader'> & { environment: TokenEnvironment }

/**
 * Returns the routes that make and rotate tokens: for an administrator, or once with the pairing code that
 * the appliance shows at its first start.
 */
export function tokenRoutes(
  { writer, reader }: Pick<Store, 'writer' | 'reader'>,
  environment: TokenEnvironment,
  pairing: Pairing | null,
): Route[] {
  const tokens: Tokens = { writer, reader, environment }
  const writing = { method: 'POST', base, scope: 'tokens.write' } as const
  return [
    { ...writing, path: 'tokens', description: says.create, handle: (request) => create(tokens, request) },
    {
      ...writing,
      path: 'tokens/:id/actions/rotate',
      description: says.rotate,
      handle: (request) => rotate(tokens, request),
    },
    {
      ...writing,
      method: 'DELETE',
      path: 'tokens/:id',
      description: resourceDescriptions(token).remove,
      handle: (request) => remove(tokens, request),
    },
    {
      ...writing,
      path: 'pairing',
      scope: null,
      description: says.pair,
      quota: 'auth',
      largestBody: 4_096,
      handle: (request) => pair(tokens, pairing, request),
    },
  ]
}

const body = bodyReader(token)

async function create(tokens: Tokens, request: Request): Promise<Answer> {
  const attributes = await body.create(await request.body())
  const strange = ((attributes.scopes ?? []) as string[]).find((scope) => !isScope(scope))
  if (strange !== undefined)
    throw new Problem('validation-failed', `${strange} is not a scope.`, { pointer: '/scopes' })
  expectOwn(request.caller, attributes as Pick<Token, 'role' | 'scopes'>, 'token')
  return make(tokens, attributes, writeOptions(request))
}

async function pair(tokens: Tokens, pairing: Pairing | null, request: Request): Promise<Answer> {
  const { code, name = 'Paired' } = await readPairing(request)
  // The caller has no token, so all callers would share the Idempotency-Key.
  const { idempotency, ...options } = writeOptions(request)
  expectPaired(pairing?.redeem(code, request.remoteAddress) ?? { is: 'closed' })
  let isMade = false
  try {
    const answer = await make(tokens, { name, role: 'admin' }, options)
    isMade = !options.dryRun
    return answer
  } finally {
    if (!isMade) pairing?.giveBack()
  }
}

async function make(
  { writer, environment }: Tokens,
  attributes: Record<string, unknown>,
  options: WriteOptions,
): Promise<Answer> {
  const secret = newToken(environment)
  const input: NewToken = {
    name: String(attributes.name),
    role: attributes.role as Role,
    scopes: (attributes.scopes ?? []) as string[],
    expiresAt: (attributes.expiresAt ?? null) as number | null,
    digest: digest(secret).toString('hex'),
  }
  const document = await writer.execute(createToken, input, options)
  return created(token, document, shownOnce(secret, options))
}

async function rotate({ writer, reader, environment }: Tokens, request: Request): Promise<Answer> {
  const options = writeOptions(request)
  const secret = newToken(environment)
  const id = request.params.id ?? ''
  const kept = reader.row(token, id)
  if (kept) expectOwn(request.caller, kept, 'token')
  const input = { id, digest: digest(secret).toString('hex'), revision: expectedRevision(request) }
  const document = await writer.execute(rotateToken, input, options)
  return documentAnswer(document, shownOnce(secret, options))
}

async function remove({ writer, reader }: Tokens, request: Request): Promise<Answer> {
  const id = request.params.id ?? ''
  const kept = reader.row(token, id)
  if (kept) expectOwn(request.caller, kept, 'token')
  const input = { id, revision: expectedRevision(request) }
  await writer.execute(removeToken, input, writeOptions(request))
  return noContent()
}

/**
 * A token is shown once: the output that is stored for a repeat does not contain it, and a dry run makes
 * none.
 */
function shownOnce(secret: string, { dryRun, idempotency }: WriteOptions): Record<string, unknown> {
  if (dryRun) return { note: 'With dryRun no token is made.' }
  if (idempotency?.answered) return { note: 'The token was shown when it was made. It is not stored.' }
  return { token: secret }
}

const pairingSchema = {
  type: 'object',
  properties: {
    // Eight digits; spaces and hyphens are ignored.
    code: typedCode,
    name: { type: 'string', minLength: 1, maxLength: 100 },
  },
  required: ['code'],
  additionalProperties: false,
}

function readPairing(request: Request): Promise<{ code: string; name?: string }> {
  return bodyOf(request, pairingSchema)
}

const meta = {
  anyOf: [
    exactly({ token: { ...text, description: 'The token. It is shown only once.' } }),
    exactly({ note: { ...text, description: 'Why there is no value.' } }),
  ],
}

const says = {
  create: { ...resourceDescriptions(token).create, answers: { 201: { one: token, meta } } },
  rotate: {
    id: 'rotateToken',
    summary: 'Replace a token by a new one',
    notes: 'The old token stays valid for 24 hours.',
    answers: { 200: { one: token, meta } },
    problems: ['revision-mismatch'],
  },
  pair: {
    id: 'pair',
    summary: 'Exchange the pairing code of a new appliance for the token of an administrator',
    body: { schema: pairingSchema, example: { code: '1234 5678', name: 'Back office' } },
    answers: { 201: { one: token, meta } },
    problems: ['unauthenticated'],
  },
} satisfies Record<string, Description>
