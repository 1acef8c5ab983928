import { X509Certificate } from 'node:crypto'
import { type LeftOut, type OwnAddress, shortAddress } from '../host/machine/reachable.ts'
import type { Certificates } from './certificates.ts'

/** What clients see of the server's TLS. */
export interface ServedCertificates {
  /** The certificates of the box as its own authority; null when the server does not use them. */
  own: Certificates | null
  /** Returns the chain from the files in the settings, PEM; null without such files. */
  files(): string | null
  /** Returns the addresses at which other devices reach the server, and its port; null before it listens. */
  reach(): Reach
}

interface Reach {
  reachable: readonly OwnAddress[]
  leftOut: readonly LeftOut[]
  port: number | null
}

export const sources = ['own', 'uploaded', 'files', 'none'] as const

/** The certificate in use. Times in Unix milliseconds. */
export interface CertificateState {
  /** `none`: the server listens on this machine only, without TLS. */
  source: (typeof sources)[number]
  certificate: X509Certificate | null
  /** The authority of the box; null when it has none. */
  authority: X509Certificate | null
  /** The names and addresses of the box that its own certificate lacks, because its authority may not sign them. */
  missingNames: string[]
  /** Names for which the authority may sign although other computers may have them: an earlier release allowed it. */
  foreignNames: string[]
}

/** Returns the state of the certificate that the server uses. Throws the system's error for a file that cannot be read. */
export function certificateState({ own, files }: ServedCertificates): CertificateState {
  const chain = files()
  const none = { authority: null, missingNames: [], foreignNames: [] }
  if (chain !== null) return { source: 'files', certificate: new X509Certificate(chain), ...none }
  if (!own) return { source: 'none', certificate: null, ...none }
  const kept = own.kept()
  const source = kept.uploaded ? 'uploaded' : 'own'
  const certificate = new X509Certificate(own.inUse().certificate)
  const missingNames = source === 'own' ? own.unsigned() : []
  const authority = new X509Certificate(kept.authority.certificate)
  return { source, certificate, authority, missingNames, foreignNames: own.foreign(kept.permitted) }
}

/** Returns the names and addresses in a certificate. */
export function subjectsOf({ subjectAltName = '' }: X509Certificate): {
  names: string[]
  addresses: string[]
} {
  const parts = subjectAltName.split(', ')
  const of = (prefix: string) =>
    parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length))
  return { names: of('DNS:'), addresses: of('IP Address:').map(shortAddress) }
}
