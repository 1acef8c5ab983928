import type { Message, MessageCode } from '../jsonapi/locales/message.ts'
import type { Found, Health } from './check.ts'
import type { CertificateFacts, Facts } from './status-facts.ts'

const day = 86_400_000
/** The box renews its own certificate 30 days before its end, so a later end means that it could not. */
const warnBeforeMs = { own: 21 * day, uploaded: 30 * day, files: 30 * day, none: 0 }
/** In this time every client has to trust a new authority. */
const authorityWarnsMs = 180 * day

/** What to do about a certificate near its end. */
const remedies = {
  own: 'renewed-by-itself',
  uploaded: 'upload-certificate',
  files: 'replace-certificate-files',
  none: 'replace-certificate-files',
} as const satisfies Record<CertificateFacts['source'], MessageCode>

/** Whether the certificate of the server, and the box's own authority, stay valid for some time. */
export function certificate({ certificate: facts, now }: Pick<Facts, 'certificate' | 'now'>): Found {
  const { source, certificate } = facts
  const end = certificate!.validToDate
  const left = end.getTime() - now
  const found = (status: Health, messages: Message[]): Found => ({
    componentType: 'system',
    observedValue: end.toISOString(),
    status,
    messages,
  })
  const remedy = { code: remedies[source] }
  if (left <= 0) return found('fail', [{ code: 'certificate-over' }, remedy])
  if (left < warnBeforeMs[source])
    return found('warn', [
      { code: 'certificate-ends', values: { end: end.toISOString().slice(0, 10) } },
      remedy,
    ])
  const messages = ofAuthority(facts, now)
  return found(messages.length > 0 ? 'warn' : 'pass', messages)
}

/** Clients trust the box's own authority also while the box uses an uploaded certificate. */
function ofAuthority(
  { source, authority, missingNames, foreignNames }: CertificateFacts,
  now: number,
): Message[] {
  if (foreignNames.length > 0)
    return [
      { code: 'authority-signs-for-others', values: { names: foreignNames } },
      { code: 'renew-authority' },
    ]
  if (source !== 'own') return []
  if (authority && authority.validToDate.getTime() - now < authorityWarnsMs) {
    const end = authority.validToDate.toISOString().slice(0, 10)
    return [{ code: 'authority-ends', values: { end } }, { code: 'renew-authority' }]
  }
  if (missingNames.length === 0) return []
  return [{ code: 'name-not-signed', values: { names: missingNames } }, { code: 'renew-authority' }]
}
