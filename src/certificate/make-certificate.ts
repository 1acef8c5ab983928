import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'

/** A certificate, or a chain that begins with it, and its private key, both PEM. */
export interface Pair {
  certificate: string
  key: string
}

/** The names and addresses by which clients open the box. */
export interface OwnNames {
  /** DNS names in lower case. The first one is the box's host name. */
  names: string[]
  /** IP addresses. */
  addresses: string[]
}

const day = 86_400_000
/** Ten years. */
const authorityDays = 3_650
/** Apple's clients accept no server certificate that is valid longer than 398 days. */
const leafDays = 397
/** A certificate is valid from a day before it was made, because the clock of a client may be slow. */
const earlierMs = day

/**
 * The addresses for which an authority may sign: private networks, this machine, and link-local addresses. Clients
 * reject its signature for a public address.
 */
const privateRanges = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]

/**
 * Makes an authority with a new key, ECDSA P-256, valid for ten years from `now` (Unix milliseconds). Clients accept its
 * signature only for `permitted` DNS names, names below them, and private addresses.
 */
export function makeAuthority({ permitted, now }: { permitted: readonly string[]; now: number }): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const id = keyId(spki)
  // Two boxes with the same name need different authority names, because a client finds the issuer of a certificate by
  // name.
  const subject = nameOf(
    `nightporter ${permitted[0] ?? 'box'} ${id.toString('hex').slice(0, 8).toUpperCase()}`,
  )
  const names = [...permitted.map(dnsName), ...privateRanges.map(address)]
  const subtrees = names.map((base) => new x509.GeneralSubtree({ base }))
  const constraints = new x509.NameConstraints({ permittedSubtrees: new x509.GeneralSubtrees(subtrees) })
  const certificate = signed(privateKey, {
    subject,
    issuer: subject,
    spki,
    from: now - earlierMs,
    until: now + authorityDays * day,
    extensions: [
      extension(
        x509.id_ce_basicConstraints,
        new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 }),
        true,
      ),
      extension(
        x509.id_ce_keyUsage,
        new x509.KeyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign),
        true,
      ),
      extension(x509.id_ce_nameConstraints, constraints, true),
      extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(bufferOf(id)), false),
    ],
  })
  return { certificate, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

/**
 * Makes a server certificate with a new key, ECDSA P-256, valid for 397 days from the day before `now` (Unix
 * milliseconds), but not longer than its authority.
 */
export function makeLeaf(authority: Pair, { names, addresses }: OwnNames, now: number): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const own = new X509Certificate(authority.certificate)
  const issuer = AsnConvert.parse(own.raw, x509.Certificate).tbsCertificate.subject
  const from = now - earlierMs
  const key = createPrivateKey(authority.key)
  const issuerId = keyId(own.publicKey.export({ format: 'der', type: 'spki' }))
  const alternatives = new x509.SubjectAlternativeName([...names.map(dnsName), ...addresses.map(address)])
  const certificate = signed(key, {
    subject: nameOf(names[0] ?? 'localhost'),
    issuer,
    spki,
    from,
    until: Math.min(from + leafDays * day, own.validToDate.getTime()),
    extensions: [
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
      extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth]), false),
      extension(x509.id_ce_subjectAltName, alternatives, false),
      extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(bufferOf(keyId(spki))), false),
      extension(
        x509.id_ce_authorityKeyIdentifier,
        new x509.AuthorityKeyIdentifier({ keyIdentifier: new x509.KeyIdentifier(bufferOf(issuerId)) }),
        false,
      ),
    ],
  })
  return { certificate, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

interface Contents {
  subject: x509.Name
  issuer: x509.Name
  /** The public key as SubjectPublicKeyInfo, DER. */
  spki: Buffer
  /** Unix milliseconds. */
  from: number
  until: number
  extensions: x509.Extension[]
}

const ecdsaWithSha256 = () => new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })

/** Returns the certificate, signed with the issuer's key, as PEM. */
function signed(
  key: Parameters<typeof sign>[2],
  { spki, from, until, extensions, ...names }: Contents,
): string {
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bufferOf(serialNumber()),
    signature: ecdsaWithSha256(),
    ...names,
    validity: new x509.Validity({ notBefore: inSeconds(from), notAfter: inSeconds(until) }),
    subjectPublicKeyInfo: AsnConvert.parse(spki, x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions(extensions),
  })
  const signatureValue = bufferOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), key))
  const whole = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: ecdsaWithSha256(),
    signatureValue,
  })
  return new X509Certificate(Buffer.from(AsnConvert.serialize(whole))).toString()
}

function extension(extnID: string, value: object, critical: boolean): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

/** Returns 16 random bytes that are a positive number without leading zeros. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes
}

/** Returns the key identifier of RFC 7093: the first 20 bytes of a digest. */
function keyId(spki: Buffer): Buffer {
  return createHash('sha256').update(spki).digest().subarray(0, 20)
}

function nameOf(commonName: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: commonName.slice(0, 64) })
  const attribute = new x509.AttributeTypeAndValue({ type: '2.5.4.3', value })
  return new x509.Name([new x509.RelativeDistinguishedName([attribute])])
}

const dnsName = (name: string) => new x509.GeneralName({ dNSName: name })
const address = (range: string) => new x509.GeneralName({ iPAddress: range })

/** Certificate times have a resolution of one second. */
function inSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000)
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
