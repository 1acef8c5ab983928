import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { tls } from '../devices/network/tls.ts'
import { Problem } from '../resource/problem.ts'
import type { OwnNames, Pair } from './make-certificate.ts'

const mostCertificates = 10
/** The curves that every browser accepts, by their names in OpenSSL. */
const browserCurves = { prime256v1: 'P-256', secp384r1: 'P-384' }
const serverAuth = '1.3.6.1.5.5.7.3.1'

interface Known {
  /** The names and addresses of the box. */
  box: OwnNames
  /** Unix milliseconds. */
  now: number
  /** Whether `now` is certain. If not, `now` is the latest time that is known to have passed. */
  isCertain: boolean
}

/**
 * Checks a certificate chain and its key, both PEM, for the server of this box: each certificate signs the one before
 * it, the key fits, the present time is in the validity period, and one name or address of the box is in it. Throws
 * validation-failed with the field and the expected value.
 */
export function checkUpload({ certificate, key }: Pair, known: Known): void {
  const [leaf, ...issuers] = chainIn(certificate)
  expectDates(leaf!, known)
  expectKey(leaf!, keyIn(key))
  expectServer(leaf!)
  expectChain([leaf!, ...issuers])
  expectName(leaf!, known.box)
  try {
    tls().createSecureContext({ cert: certificate, key })
  } catch (error) {
    throw refused('/certificate', `The certificate and the key cannot be used: ${(error as Error).message}.`)
  }
}

function chainIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0 || blocks.length > mostCertificates)
    throw refused(
      '/certificate',
      `Expected 1 to ${mostCertificates} certificates in PEM, each between -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----, and found ${blocks.length}.`,
    )
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block)
    } catch (error) {
      throw refused('/certificate', `Certificate ${index + 1} cannot be read.`, error)
    }
  })
}

function keyIn(text: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw refused(
      '/key',
      'The key is protected by a passphrase. Remove it first: openssl pkey -in KEY -out PLAIN.',
    )
  try {
    return createPrivateKey(text)
  } catch (error) {
    throw refused('/key', 'Expected a private key in PEM, beginning with -----BEGIN PRIVATE KEY-----.', error)
  }
}

function expectKey(leaf: X509Certificate, key: KeyObject): void {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key
  const curve = kind === 'ec' ? (details?.namedCurve ?? '') : null
  const isStrong =
    curve === null ? kind === 'rsa' && (details?.modulusLength ?? 0) >= 2_048 : curve in browserCurves
  if (!isStrong) {
    const found = curve === null ? '' : ` Browsers open no page with a key on the curve ${curve}.`
    const expected = `an RSA key of at least 2048 bits, or a key on the curve ${Object.values(browserCurves).join(' or ')}`
    throw refused('/key', `Expected ${expected}.${found} Request a certificate with such a key.`)
  }
  if (!leaf.checkPrivateKey(key))
    throw refused(
      '/key',
      'The key does not belong to the first certificate. Give the key with which it was requested.',
    )
}

function expectDates({ validFromDate, validToDate }: X509Certificate, { now, isCertain }: Known): void {
  if (validToDate.getTime() <= now)
    throw refused('/certificate', `The certificate ended on ${validToDate.toISOString()}. Get a new one.`)
  if (isCertain && validFromDate.getTime() > now)
    throw refused('/certificate', `The certificate is valid from ${validFromDate.toISOString()} only.`)
}

function expectServer({ keyUsage }: X509Certificate): void {
  // Node calls the extended key usage by this name.
  if (keyUsage && !keyUsage.includes(serverAuth))
    throw refused(
      '/certificate',
      'The certificate is not for a server. Get one with the usage "server authentication".',
    )
}

function expectChain(chain: X509Certificate[]): void {
  const broken = chain.findIndex((each, index) => {
    const issuer = chain[index + 1]
    return issuer && !(each.checkIssued(issuer) && each.verify(issuer.publicKey))
  })
  if (broken < 0) return
  throw refused(
    '/certificate',
    `Certificate ${broken + 2} has not signed certificate ${broken + 1}. Put the certificate of the box first, then each issuer after what it has signed.`,
  )
}

function expectName(leaf: X509Certificate, { names, addresses }: OwnNames): void {
  const isOwn = (name: string) => name !== 'localhost' && leaf.checkHost(name) !== undefined
  if (names.some(isOwn) || addresses.some((each) => leaf.checkIP(each) !== undefined)) return
  throw refused(
    '/certificate',
    `The certificate is for ${leaf.subjectAltName ?? 'no name'}. This box is known as ${[...names, ...addresses].join(', ')}. If clients open it by another name, add the name on the page /setup#/network first.`,
  )
}

function refused(pointer: string, detail: string, cause?: unknown): Problem {
  return new Problem('validation-failed', detail, { pointer, cause })
}
