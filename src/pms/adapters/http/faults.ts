import { DeviceFault } from '../../../devices/fault.ts'
import { AddressRefused } from '../../../devices/network/peer-address.ts'
import { JsonText } from '../../json-text.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import { type HttpAnswer, NoAnswer } from './exchange.ts'

/** A request, for messages about it. */
interface Request {
  what: string
  /** True when the request may have changed something at the PMS. */
  changes: boolean
}

/** The `vendorCode` for a resource that no longer exists (410). */
export const gone = 'gone'

/** The `vendorCode` of an answer with too many bytes. */
export const tooLarge = 'too-large'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The JSON of an answer as it was sent. Throws UnreadableAnswer. */
export function jsonTextIn(body: Buffer): JsonText {
  return new JsonText(parsed(body).text)
}

function parsed(body: Buffer): { text: string; value: unknown } {
  try {
    const text = utf8.decode(body)
    return { text, value: JSON.parse(text) }
  } catch (cause) {
    const what = body.length === 0 ? 'an empty body' : 'data that are not JSON in UTF-8'
    throw new UnreadableAnswer(`The PMS answered with ${what}.`, body, { cause })
  }
}

/** The JSON object that an answer is. Throws UnreadableAnswer. */
export function objectIn(body: Buffer): Record<string, unknown> {
  const said = parsed(body).value
  if (typeof said === 'object' && said !== null && !Array.isArray(said))
    return said as Record<string, unknown>
  throw new UnreadableAnswer('The PMS answered with JSON that is not an object.', body)
}

/** Throws UnreadableAnswer for a page of HTML: a login page or a proxy has answered in place of the PMS, and thrown the request away. */
export function expectNoPage(body: Buffer): void {
  if (/^\uFEFF?\s*</.test(body.toString('utf8', 0, 200)))
    throw new UnreadableAnswer(
      'The PMS answered with a page of HTML. A login page or a proxy between the box and the PMS does that.',
      body,
      { outcomeUnknown: true },
    )
}

type Row = [code: 'adapter-timeout' | 'vendor-error', says: string]

/** The meaning of an error status. */
const statuses: Record<number, Row> = {
  401: ['vendor-error', 'refused our credentials'],
  403: ['vendor-error', 'does not allow this'],
  404: ['vendor-error', 'does not have this address'],
  408: ['adapter-timeout', 'timed out waiting for the request'],
  410: ['vendor-error', 'no longer has it'],
  413: ['vendor-error', 'says that the request is too large'],
  429: ['adapter-timeout', 'limits the rate of requests'],
  502: ['adapter-timeout', 'cannot be reached behind its gateway'],
  503: ['adapter-timeout', 'is overloaded or in maintenance'],
  504: ['adapter-timeout', 'cannot be reached behind its gateway'],
}

/** Statuses that mean that nothing was done. */
const undone = new Set([401, 403, 404, 408, 410, 413, 429, 503])

/** The fault for an error status. */
export function faultOf({ status, body }: HttpAnswer, { what, changes }: Request): DeviceFault {
  const redirects = status >= 300 && status < 400
  const [code, says] = statuses[status] ?? [
    'vendor-error',
    redirects ? 'redirects to another address, which is not followed' : 'failed',
  ]
  const outcomeUnknown = changes && !undone.has(status)
  return new DeviceFault(code, `The PMS ${says}: ${status} to ${what}${detailIn(body)}`, {
    vendorCode: status === 410 ? gone : String(status),
    outcomeUnknown,
  })
}

/** The fault for silence, a lost connection or an oversized answer. */
export function faultOfSilence(error: unknown, { what, changes }: Request): unknown {
  if (error instanceof AddressRefused) {
    return new DeviceFault('adapter-timeout', `No request is sent to the PMS: ${error.message}`, {
      cause: error,
    })
  }
  if (!(error instanceof NoAnswer)) return error
  const detail = `The PMS ${error.message}: ${what}.`
  if (error.excess) return new UnreadableAnswer(detail, error.excess, { vendorCode: tooLarge, cause: error })
  return new DeviceFault('adapter-timeout', detail, { outcomeUnknown: changes && error.sent, cause: error })
}

const longestDetail = 300

/** The PMS's own error text, when its answer is JSON with one. */
function detailIn(body: Buffer): string {
  const text = reasonIn(body)
  return text === null ? '.' : `: ${text}`
}

/** The sentence in a problem document (RFC 9457) or in similar JSON; null without one. */
export function reasonIn(body: Buffer): string | null {
  if (body.length > 64 * 1024) return null
  try {
    const said = JSON.parse(body.toString()) as Record<string, unknown> | null
    const found = [said?.detail, said?.reason, said?.title].find((each) => typeof each === 'string')
    return (found as string | undefined)?.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, longestDetail) || null
  } catch {
    return null
  }
}
