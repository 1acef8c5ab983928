import { peerPolicies, urlProblem } from '../../../../devices/network/peer-address.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import { Problem } from '../../../../resource/problem.ts'
import { checkTls, type TlsSettings, tlsConnection, tlsCredentials } from '../tls-settings.ts'

const url = { type: 'string', minLength: 1, maxLength: 500 }

/** The `connection` of a configuration with HTTP. */
export const httpConnection: Record<string, JsonSchema> = {
  baseUrl: {
    ...url,
    description: 'The base of the paths `changes`, `offers` and others: https, or http to a private address.',
  },
  ...tlsConnection,
  tokenUrl: {
    ...url,
    description: 'Where clientId and clientSecret are exchanged for a token (OAuth 2 client credentials).',
  },
  scope: {
    type: 'string',
    maxLength: 1_000,
    pattern: '^[\\x20-\\x7e]*$',
    title: 'The scope in the request for the token.',
  },
  callbackUrl: {
    ...url,
    description:
      'The address at which the PMS reaches `/api/v2/pms/providers/{configurationId}/callback` of this appliance. Needed for the extension `webhooks`.',
  },
}

/** Its `credentials`: a token, a client id and secret, a certificate, or nothing. */
export const httpCredentials: Record<string, JsonSchema> = {
  token: { type: 'string', minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' },
  clientId: { type: 'string', minLength: 1, maxLength: 500 },
  clientSecret: { type: 'string', minLength: 1, maxLength: 1_000 },
  ...tlsCredentials,
}

/** The members of a validated connection and validated credentials. */
export interface HttpSettings extends TlsSettings {
  baseUrl: string
  tokenUrl?: string
  scope?: string
  callbackUrl?: string
  token?: string
  clientId?: string
  clientSecret?: string
}

/** The settings of a validated connection and validated credentials. */
export function httpSettings(
  connection: Record<string, unknown>,
  credentials: Record<string, unknown>,
): HttpSettings {
  const { baseUrl = '', ...others } = { ...connection, ...credentials } as Partial<HttpSettings>
  return { baseUrl, ...others }
}

/** Throws validation-failed for errors that the schemas cannot express. */
export function checkHttp(connection: Record<string, unknown>, credentials: Record<string, unknown>): void {
  const settings = httpSettings(connection, credentials)
  for (const name of ['baseUrl', 'tokenUrl', 'callbackUrl'] as const) {
    const wrong = settings[name] === undefined ? null : urlProblem(name, settings[name], peerPolicies.pms)
    if (wrong) throw invalid(`/connection/${name}`, wrong)
  }
  if (new URL(settings.baseUrl).search !== '')
    throw invalid('/connection/baseUrl', 'baseUrl must not have a query.')
  together(settings, 'clientId', 'clientSecret')
  checkTls(settings)
  if (settings.token && settings.clientId) {
    throw invalid('/credentials/token', 'credentials hold a token or a clientId, not both.')
  }
  if (settings.clientId && !settings.tokenUrl) {
    throw invalid('/connection/tokenUrl', 'tokenUrl is required where credentials hold a clientId.')
  }
}

function together(settings: HttpSettings, one: keyof HttpSettings, other: keyof HttpSettings): void {
  if ((settings[one] === undefined) === (settings[other] === undefined)) return
  const missing = settings[one] === undefined ? one : other
  throw invalid(`/credentials/${missing}`, `${one} and ${other} must be given together.`)
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}
