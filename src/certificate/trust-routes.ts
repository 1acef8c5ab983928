import { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import { html } from '../handbook/handbook-routes.ts'
import type { Description } from '../jsonapi/description.ts'
import { isLanguage, preferredLanguage } from '../jsonapi/locales/language.ts'
import { expectNoParameters, unknownParameter } from '../jsonapi/query/query.ts'
import type { Answer, Request, Route } from '../jsonapi/route.ts'
import { Problem } from '../resource/problem.ts'
import { certificateState, type ServedCertificates } from './certificate-state.ts'
import { reachedAt } from './reached-at.ts'

const derType = 'application/x-x509-ca-cert'
const pemType = 'application/x-pem-file'

/**
 * Returns the routes, which need no token, for making a device trust the box: the authority's certificate, and a page
 * with instructions.
 */
export function trustRoutes(served: ServedCertificates): Route[] {
  const open = { method: 'GET', base: '', scope: null } as const

  async function page({ query, header }: Request): Promise<Answer> {
    for (const name of query.keys()) if (name !== 'language') throw unknownParameter(name, ['language'])
    const asked = query.get('language')
    const language = isLanguage(asked) ? asked : preferredLanguage(header('accept-language'))
    const { source, certificate, authority } = certificateState(served)
    if (!certificate) throw nothing()
    const { trustHtml } = await import('./trust-page.ts')
    const own = source === 'own' ? authority : null
    const facts = {
      authority: own && {
        fingerprint: own.fingerprint256,
        endsAt: own.validToDate,
        names: served.own?.kept().permitted ?? [],
      },
      issuer: certificate.issuer,
      urls: reachedAt(served, header('host')).urls.map((each) => `${each}/trust`),
    }
    return html(trustHtml(language, facts), { Vary: 'Accept-Language, Host', 'Content-Language': language })
  }

  function authority(): X509Certificate {
    if (!served.own) throw nothing()
    return new X509Certificate(served.own.kept().authority.certificate)
  }

  return [
    {
      ...open,
      path: 'ca.crt',
      description: says.der,
      handle: ({ query }) => {
        expectNoParameters(query)
        return { status: 200, stream: Readable.from([authority().raw]), type: derType }
      },
    },
    {
      ...open,
      path: 'ca.pem',
      description: says.pem,
      handle: ({ query }) => {
        expectNoParameters(query)
        return { status: 200, text: authority().toString(), type: pemType }
      },
    },
    { ...open, path: 'trust', description: says.page, handle: page },
  ]
}

function nothing(): Problem {
  return new Problem(
    'not-found',
    'The appliance is not its own certificate authority: it listens on its own machine only, or the settings of the program name a certificate.',
  )
}

const bytes = { type: 'string', format: 'binary' }
const says = {
  der: {
    id: 'readAuthority',
    summary: "Download the certificate of the box's own authority",
    notes: 'DER, as Windows, macOS, iOS and Android take it. `/trust` explains how to install it.',
    answers: { 200: { schema: bytes, type: derType } },
    problems: ['not-found', 'unknown-parameter'],
  },
  pem: {
    id: 'readAuthorityPem',
    summary: "Download the certificate of the box's own authority as PEM",
    answers: { 200: { schema: { type: 'string' }, type: pemType } },
    problems: ['not-found', 'unknown-parameter'],
  },
  page: {
    id: 'readTrustPage',
    summary: 'Read how to trust this box',
    notes: 'A page without scripts for Windows, macOS, iPad, Android and Firefox.',
    query: {
      language: { schema: { type: 'string' }, notes: 'en, de, es, fr or pt; default by Accept-Language.' },
    },
    answers: { 200: { schema: { type: 'string' }, type: 'text/html', tagged: true } },
    problems: ['not-found', 'unknown-parameter'],
  },
} satisfies Record<string, Description>
