import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import { isVague, refusalOf } from './errors.ts'
import type { HttpOutcome } from './exchange.ts'
import { masked } from './mask.ts'
import type { CloudCall, FormFields } from './protocol.ts'

/** The cloud's answer: its fields, or the error code of its refusal. */
type Answer = { kind: 'done'; content: Record<string, unknown> } | { kind: 'refused'; errcode: number }

/** A request. `name` begins the text of its faults; the secret ones among `fields` never appear there. */
export interface CloudRequest {
  name: string
  call: CloudCall
  fields: FormFields
}

/**
 * Decodes an outcome. A missing `errcode` is a success. An `errcode` other than 0 is returned, because for some callers it
 * means success. Throws a DeviceFault when there is no answer of the Open Platform. `words` is the cloud's own text, masked.
 */
export function answerIn(outcome: HttpOutcome, request: CloudRequest): Answer & { words: string } {
  if (outcome.kind === 'none') throw unanswered(outcome, request)
  const { status, body } = outcome
  const content = objectIn(body)
  const errcode = content && 'errcode' in content ? Number(content.errcode) : 0
  const words = typeof content?.errmsg === 'string' ? masked(content.errmsg, request.fields) : ''
  // A success is accepted only with status 200; a refusal also with a status that means the request was not executed.
  if (content && errcode !== 0 && Number.isInteger(errcode) && (status === 200 || isRefusal(status)))
    return { kind: 'refused', errcode, words }
  if (status !== 200) throw strangeStatus(status, request)
  if (!content || errcode !== 0) throw unreadable('answered with something other than its JSON', request)
  return { kind: 'done', content, words }
}

/** The fault for an `errcode`. */
export function refused(errcode: number, words: string, { name, call }: CloudRequest): DeviceFault {
  const { code, text } = refusalOf(errcode, call.writes)
  const more = isVague(errcode) && words ? `: ${words}` : ''
  return new DeviceFault(code, `${name}: the cloud ${text} (${errcode})${more}`, {
    vendorCode: String(errcode),
  })
}

/** The fault for an inconclusive answer: a write may have been executed. */
export function unreadable(why: string, { name, call }: CloudRequest): DeviceFault {
  return new DeviceFault(call.writes ? 'vendor-error' : 'lock-system-retry', `${name}: the cloud ${why}`)
}

function unanswered(
  { why, left }: { why: string; left: boolean },
  { name, call }: CloudRequest,
): DeviceFault {
  const code: FaultCode = left && call.writes ? 'lock-system-timeout' : 'lock-system-unreachable'
  return new DeviceFault(code, `${name}: the cloud ${why}`)
}

/**
 * The statuses which, by the HTTP specification, mean that the request was not executed; 307 and 308 ask for the same
 * request at another address. After 301, 302, 303, 408, 499 and 5xx it is unknown.
 */
const refusingStatuses: readonly number[] = [
  307, 308, 400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 421, 422, 426, 429, 431, 451,
]

function isRefusal(status: number): boolean {
  return refusingStatuses.includes(status)
}

function strangeStatus(status: number, request: CloudRequest): DeviceFault {
  if (!isRefusal(status)) return unreadable(`answered with HTTP ${status}`, request)
  const code: FaultCode = status === 429 ? 'lock-system-retry' : 'lock-system-rejected'
  const more = status < 400 ? ', a redirect, which is not followed' : ''
  return new DeviceFault(code, `${request.name}: the cloud answered with HTTP ${status}${more}`)
}

function objectIn(body: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(body)
    return typeof content === 'object' && content !== null && !Array.isArray(content) ? { ...content } : null
  } catch {
    // The parser's error is not passed on, because it quotes the body.
    return null
  }
}
