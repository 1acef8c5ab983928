import type { Clock } from '../host/clock.ts'
import { leftOutReasons } from '../host/machine/reachable.ts'
import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import type { Answer, Request, Route } from '../jsonapi/route.ts'
import { bodyOf } from '../jsonapi/schemas/validate.ts'
import { moment, text } from '../jsonapi/schemas/words.ts'
import { writeOptions } from '../jsonapi/write-options.ts'
import type { WriteOptions, Writer } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { noteCertificate } from './certificate-commands.ts'
import { certificateState, type ServedCertificates, sources, subjectsOf } from './certificate-state.ts'
import type { Certificates } from './certificates.ts'
import { checkUpload } from './check-upload.ts'
import { isDnsName, isPermitted } from './machine-names.ts'
import type { Pair } from './make-certificate.ts'
import { reachedAt } from './reached-at.ts'

const base = '/api/config/v1'

interface CertificateRouteOptions {
  served: ServedCertificates
  clock: Clock
  writer: Writer
}

/** Returns the routes to read the server's certificate, to replace it, and to renew it. */
export function certificateRoutes({ served, clock, writer }: CertificateRouteOptions): Route[] {
  /** Runs a change of the box's own certificates and records it. A dry run and a repeat change nothing. */
  async function change(
    request: Request,
    options: WriteOptions,
    work: (own: Certificates) => Promise<void>,
    { newAuthority = false } = {},
  ): Promise<Answer> {
    const own = ownOf(served)
    if (!options.dryRun && !options.idempotency?.answered) await work(own)
    const { source, certificate } = certificateState(served)
    const { fingerprint256: fingerprint, validToDate } = certificate!
    const noted = { source, fingerprint, endsAt: validToDate.toISOString(), newAuthority }
    await writer.execute(noteCertificate, noted, options)
    return document(request)
  }

  function document({ query }: Request): Answer {
    if (!query.has('dryRun')) expectNoParameters(query)
    const attributes = attributesOf(served)
    return {
      status: 200,
      text: JSON.stringify({ data: { type: 'certificate', id: 'certificate', attributes } }),
    }
  }

  async function upload(request: Request): Promise<Answer> {
    const options = writeOptions(request)
    const pair = await bodyOf<Pair>(request, uploadSchema)
    const known = { box: ownOf(served).wanted(), now: clock.now(), isCertain: clock.isPlausible() }
    checkUpload(pair, known)
    return change(request, options, (own) => own.upload(pair))
  }

  async function rename(request: Request): Promise<Answer> {
    const options = writeOptions(request)
    const { names, newAuthority = false } = await bodyOf<{ names: string[]; newAuthority?: boolean }>(
      request,
      nameSchema,
    )
    const own = ownOf(served)
    for (const [index, name] of names.entries()) {
      const detail = nameProblem(own, name, newAuthority)
      if (detail !== null) throw new Problem('validation-failed', detail, { pointer: `/names/${index}` })
    }
    return change(request, options, (own) => own.rename(names, { newAuthority }), { newAuthority })
  }

  async function renew(request: Request): Promise<Answer> {
    const options = writeOptions(request)
    const { newAuthority = false } = await bodyOf<{ newAuthority?: boolean }>(request, renewSchema)
    if (!clock.isPlausible())
      throw new Problem(
        'clock-implausible',
        'Date and time are not certain, so no certificate can be made. Connect a time server, or state date and time.',
      )
    return change(request, options, (own) => own.renew({ newAuthority }), { newAuthority })
  }

  const at = { path: 'certificate', base, scope: 'config.write' } as const
  return [
    { ...at, method: 'GET', scope: 'config.read', description: says.read, handle: document },
    { ...at, method: 'PUT', description: says.upload, handle: upload },
    { ...at, method: 'PATCH', description: says.rename, handle: rename },
    {
      ...at,
      method: 'DELETE',
      description: says.remove,
      handle: (request) => change(request, writeOptions(request), (own) => own.upload(null)),
    },
    { ...at, method: 'POST', path: 'certificate/actions/renew', description: says.renew, handle: renew },
  ]
}

/** Returns the certificates that can be changed. Throws certificate-fixed when there are none. */
function ownOf({ own, files }: ServedCertificates): Certificates {
  if (own) return own
  throw new Problem(
    'certificate-fixed',
    files() === null
      ? 'This appliance listens on its own machine only, without TLS. Let it listen on an address of the network: "host" in nightporter.json.'
      : 'The certificate comes from the files that "tls" in nightporter.json names. Replace these files, or remove "tls" from the settings and restart.',
  )
}

/** Why the box may not sign for a name; null when it may. */
function nameProblem(own: Certificates, name: string, newAuthority: boolean): string | null {
  if (!isDnsName(name)) return `${name} is not a DNS name in lower case, such as box.hotel.lan.`
  if (own.foreign([name]).length > 0)
    return `${name} may be a name of other computers too, or the end of their names, so the box may not sign for it. Give a name of the box alone, such as box.hotel.lan.`
  const { permitted } = own.kept()
  return newAuthority || isPermitted(name, permitted)
    ? null
    : `The authority of this box may sign for ${permitted.join(', ')} only. With "newAuthority": true the box makes a new authority, which every client has to trust again.`
}

function attributesOf(served: ServedCertificates) {
  const { source, certificate, authority, missingNames } = certificateState(served)
  return {
    source,
    subject: certificate?.subject ?? null,
    issuer: certificate?.issuer ?? null,
    ...(certificate ? subjectsOf(certificate) : { names: [], addresses: [] }),
    fingerprint: certificate?.fingerprint256 ?? null,
    startsAt: certificate?.validFromDate.toISOString() ?? null,
    endsAt: certificate?.validToDate.toISOString() ?? null,
    givenNames: served.own?.kept().names ?? [],
    missingNames,
    ...reachedAt(served),
    authority: authority && {
      subject: authority.subject,
      fingerprint: authority.fingerprint256,
      endsAt: authority.validToDate.toISOString(),
      permittedNames: served.own?.kept().permitted ?? [],
    },
  }
}

const texts = { type: 'array', items: text }
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const sha256 = { type: 'string', pattern: '^([0-9A-F]{2}:){31}[0-9A-F]{2}$', description: 'SHA-256.' }
const flag = {
  type: 'boolean',
  default: false,
  description: 'Make a new authority too. Every client then has to trust it again.',
}

const attributes = exactly({
  source: {
    enum: [...sources],
    description:
      '`own`: the box is its own authority. `uploaded`: a person has uploaded the certificate. `files`: the settings of the program name its files. `none`: the appliance listens on its own machine only, without TLS.',
  },
  subject: orNull(text),
  issuer: orNull(text),
  names: { ...texts, description: 'The DNS names that the certificate is for.' },
  addresses: { ...texts, description: 'The IP addresses that the certificate is for.' },
  fingerprint: orNull(sha256),
  startsAt: orNull(moment),
  endsAt: orNull(moment),
  givenNames: { ...texts, description: 'The names that were given with PATCH.' },
  missingNames: {
    ...texts,
    description:
      'The names of the box that its certificate cannot have, because its authority may not sign them.',
  },
  urls: {
    ...texts,
    description:
      'Where other devices reach the server, the best one first: an address before a name in `.local`.',
  },
  leftOut: {
    type: 'array',
    description: 'The other addresses of this machine, which no device is offered.',
    items: exactly({ address: text, interface: text, reason: { enum: [...leftOutReasons] } }),
  },
  authority: orNull(exactly({ subject: text, fingerprint: sha256, endsAt: moment, permittedNames: texts })),
})

const uploadSchema = exactly({
  certificate: {
    type: 'string',
    maxLength: 60_000,
    description: 'PEM: the certificate of the box, then each issuer after what it has signed.',
  },
  key: { type: 'string', maxLength: 20_000, description: 'The private key, PEM, without a passphrase.' },
})

const nameSchema = exactly(
  {
    names: {
      type: 'array',
      maxItems: 5,
      uniqueItems: true,
      items: { type: 'string', maxLength: 253 },
      description: 'DNS names in lower case, in addition to the host name. They replace those given before.',
    },
    newAuthority: flag,
  },
  ['newAuthority'],
)

const renewSchema = exactly({ newAuthority: flag }, ['newAuthority'])

const answers = { 200: { schema: documentOf('certificate', attributes) } }
const fixed = ['certificate-fixed', 'unknown-parameter'] as const

const says = {
  read: {
    id: 'readCertificate',
    summary: 'Read the certificate of the server',
    answers,
    problems: ['unknown-parameter'],
  },
  upload: {
    id: 'replaceCertificate',
    summary: 'Upload a certificate with its key',
    notes:
      'It is used at once, without a restart, instead of the one that the box makes itself. The key is stored encrypted.',
    body: { schema: uploadSchema },
    answers,
    problems: fixed,
  },
  rename: {
    id: 'updateCertificate',
    summary: 'Give the box further names',
    notes: 'The box makes a new certificate with these names.',
    body: { schema: nameSchema, example: { names: [] } },
    answers,
    problems: fixed,
  },
  remove: {
    id: 'deleteCertificate',
    summary: 'Remove the uploaded certificate',
    notes: 'From then on the server uses the certificate that the box makes itself.',
    answers,
    problems: fixed,
  },
  renew: {
    id: 'renewCertificate',
    summary: "Renew the box's own certificate now",
    notes: 'The box renews it 30 days before its end, and when it gets another name or address.',
    body: { optional: true, schema: renewSchema },
    answers,
    problems: [...fixed, 'clock-implausible'],
  },
} satisfies Record<string, Description>
