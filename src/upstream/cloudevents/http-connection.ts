import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { JsonSchema } from '../../resource/fields.ts'
import { Problem } from '../../resource/problem.ts'
import { urlProblem } from '../safe-url.ts'

const pem = (what: string) => ({
  type: 'string',
  maxLength: 100_000,
  pattern: `^-----BEGIN [A-Z ]*${what}`,
  $comment: `a PEM text that begins with -----BEGIN … ${what}`,
})
const url = { type: 'string', minLength: 1, maxLength: 500 }

/** What a configuration's `connection` says about a PMS that is spoken to by HTTP. */
export const httpConnection: Record<string, JsonSchema> = {
  baseUrl: {
    ...url,
    description: 'Below it are `changes`, `offers` and the others: https, or http to a private address.',
  },
  serverCa: {
    ...pem('CERTIFICATE'),
    description:
      'Who has signed the certificate of the PMS; those that every system trusts unless said otherwise.',
  },
  tokenUrl: {
    ...url,
    description: 'Where clientId and clientSecret are exchanged for a token (OAuth 2 client credentials).',
  },
  scope: {
    type: 'string',
    maxLength: 1_000,
    pattern: '^[\\x20-\\x7e]*$',
    description: 'Asked for with the token.',
  },
  callbackUrl: {
    ...url,
    description:
      'Where the PMS reaches `/api/v2/pms/providers/{configurationId}/callback` of this house, if it does: for the extension `webhooks`.',
  },
}

/** What its `credentials` say: a token, or a client id and secret, or a certificate, or nothing. */
export const httpCredentials: Record<string, JsonSchema> = {
  token: { type: 'string', minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' },
  clientId: { type: 'string', minLength: 1, maxLength: 500 },
  clientSecret: { type: 'string', minLength: 1, maxLength: 1_000 },
  clientCertificate: pem('CERTIFICATE'),
  clientKey: pem('PRIVATE KEY'),
}

/** What fits the schemas. */
export interface HttpSettings {
  baseUrl: string
  serverCa?: string
  tokenUrl?: string
  scope?: string
  callbackUrl?: string
  token?: string
  clientId?: string
  clientSecret?: string
  clientCertificate?: string
  clientKey?: string
}

/** Throws validation-failed for what the schemas cannot say. */
export function checkHttp(connection: Record<string, unknown>, credentials: Record<string, unknown>): void {
  const said = { ...connection, ...credentials } as unknown as HttpSettings
  for (const name of ['baseUrl', 'tokenUrl', 'callbackUrl'] as const) {
    const wrong = said[name] === undefined ? null : urlProblem(name, said[name])
    if (wrong) throw invalid(`/connection/${name}`, wrong)
  }
  if (new URL(said.baseUrl).search !== '')
    throw invalid('/connection/baseUrl', 'baseUrl must not have a query.')
  together(said, 'clientId', 'clientSecret')
  together(said, 'clientCertificate', 'clientKey')
  if (said.token && said.clientId) {
    throw invalid('/credentials/token', 'credentials hold a token or a clientId, not both.')
  }
  if (said.clientId && !said.tokenUrl) {
    throw invalid('/connection/tokenUrl', 'tokenUrl is required where credentials hold a clientId.')
  }
  readable(said)
}

function together(said: HttpSettings, one: keyof HttpSettings, other: keyof HttpSettings): void {
  if ((said[one] === undefined) === (said[other] === undefined)) return
  const missing = said[one] === undefined ? one : other
  throw invalid(`/credentials/${missing}`, `${one} and ${other} belong together.`)
}

function readable({ serverCa, clientCertificate, clientKey }: HttpSettings): void {
  try {
    if (serverCa) new X509Certificate(serverCa)
  } catch {
    throw invalid('/connection/serverCa', 'serverCa is no certificate that can be read.')
  }
  try {
    if (clientCertificate && clientKey) createSecureContext({ cert: clientCertificate, key: clientKey })
  } catch {
    throw invalid(
      '/credentials/clientCertificate',
      'clientCertificate and clientKey cannot be read, or are no pair.',
    )
  }
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}
