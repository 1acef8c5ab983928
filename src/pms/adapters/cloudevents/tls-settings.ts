import { X509Certificate } from 'node:crypto'
import { tls } from '../../../devices/network/tls.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { Problem } from '../../../resource/problem.ts'

/** PEM texts: the trusted authority, and the client certificate with its key. */
export interface TlsSettings {
  serverCa?: string
  clientCertificate?: string
  clientKey?: string
}

const pem = (what: string) => ({
  type: 'string',
  maxLength: 100_000,
  pattern: `^-----BEGIN [A-Z ]*${what}`,
  $comment: `a PEM text that begins with -----BEGIN … ${what}`,
})

export const tlsConnection: Record<string, JsonSchema> = {
  serverCa: {
    ...pem('CERTIFICATE'),
    title: 'The certificate authority of the server. Default: those that the system trusts.',
  },
}

export const tlsCredentials: Record<string, JsonSchema> = {
  clientCertificate: pem('CERTIFICATE'),
  clientKey: pem('PRIVATE KEY'),
}

/** Throws validation-failed for PEM texts that cannot be read, and for a certificate or a key without the other. */
export function checkTls({ serverCa, clientCertificate, clientKey }: TlsSettings): void {
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    const missing = clientKey === undefined ? 'clientKey' : 'clientCertificate'
    throw invalid(`/credentials/${missing}`, 'clientCertificate and clientKey must be given together.')
  }
  try {
    if (serverCa) new X509Certificate(serverCa)
  } catch {
    throw invalid('/connection/serverCa', 'serverCa is not a readable certificate.')
  }
  try {
    if (clientCertificate && clientKey) tls().createSecureContext({ cert: clientCertificate, key: clientKey })
  } catch {
    const detail = 'clientCertificate and clientKey cannot be read, or do not belong together.'
    throw invalid('/credentials/clientCertificate', detail)
  }
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}
