import { bodyReader } from '../jsonapi/body.ts'
import { created, type Keeping } from '../jsonapi/resource-routes.ts'
import type { Request, Route } from '../jsonapi/route.ts'
import { validate } from '../jsonapi/validate.ts'
import { writeOptions } from '../jsonapi/write-options.ts'
import { Problem } from '../resource/problem.ts'
import type { Pairing } from './pairing-code.ts'
import { isScope, type Role } from './scopes.ts'
import { token } from './token.ts'
import { createToken, type NewToken } from './token-changes.ts'
import { digest, newToken, type TokenEnvironment } from './token-format.ts'

const base = '/api/config/v1'

/** Making tokens: by an administrator, or once with the pairing code that the appliance shows at its first start. */
export function tokenRoutes(
  { door }: Keeping,
  environment: TokenEnvironment,
  pairing: Pairing | null,
): Route[] {
  const body = bodyReader(token)

  async function make(attributes: Record<string, unknown>, request: Request) {
    const secret = newToken(environment)
    const input: NewToken = {
      name: String(attributes.name),
      role: attributes.role as Role,
      scopes: (attributes.scopes ?? []) as string[],
      expiresAt: (attributes.expiresAt ?? null) as number | null,
      digest: digest(secret).toString('hex'),
    }
    // A token is shown once: what is kept of the answer for a repeated request must not hold it.
    const { actor } = writeOptions(request)
    return created(token, await door.write(createToken, input, { actor }), { token: secret })
  }

  return [
    {
      method: 'POST',
      path: 'tokens',
      base,
      scope: 'tokens.write',
      handle: async (request) => {
        const attributes = await body.create(await request.body())
        const strange = ((attributes.scopes ?? []) as string[]).find((scope) => !isScope(scope))
        if (strange !== undefined) {
          throw new Problem('validation-failed', `${strange} is not a scope.`, { pointer: '/scopes' })
        }
        return make(attributes, request)
      },
    },
    {
      method: 'POST',
      path: 'pairing',
      base,
      scope: null,
      handle: async (request) => {
        const { code, name = 'Paired' } = await readPairing(request)
        if (pairing?.redeem(code) !== 'paired')
          throw new Problem('unauthenticated', 'The pairing code is not valid.', { pointer: '/code' })
        return make({ name, role: 'admin' }, request)
      },
    },
  ]
}

const pairingSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', pattern: '^[0-9]{8}$' },
    name: { type: 'string', minLength: 1, maxLength: 100 },
  },
  required: ['code'],
  additionalProperties: false,
}

async function readPairing(request: Request): Promise<{ code: string; name?: string }> {
  const body = (await request.body()) ?? {}
  await validate(pairingSchema, body)
  return body as { code: string; name?: string }
}
