import { DeviceFault } from '../../../../devices/fault.ts'
import { parsedExactly } from '../../../json-text.ts'
import { UnreadableAnswer } from '../../../unreadable-answer.ts'
import { cursorGone, pageTooLarge } from '../carrier.ts'
import { envelopeSchema, largestPage, type Message } from './envelope.ts'
import type { RequestFailed } from './message-data.ts'
import { requestFailedSchema } from './message-schemas.ts'
import { messages, type RequestType } from './messages.ts'
import { schemaErrors } from './read-message.ts'

/**
 * The `data` of the reply to a request, unchanged. Throws the DeviceFault of a `pms.request.failed`, and UnreadableAnswer for
 * an invalid reply.
 */
export async function readReply(type: RequestType, bytes: Uint8Array): Promise<unknown> {
  const message = await messageIn(type, bytes)
  if (message.type === 'pms.request.failed') throw await faultIn(type, message.data)
  const { reply } = messages[type]
  if (message.type !== reply)
    throw misunderstood(type, bytes, `type: ${reply} was expected, not ${message.type}.`)
  // The answer of an extension is forwarded: its numbers may exceed those of JavaScript.
  if (reply === 'pms.extension.replied') return (parsedExactly(utf8.decode(bytes)) as Message).data
  return message.data
}

async function messageIn(type: RequestType, bytes: Uint8Array): Promise<Message> {
  if (bytes.length > largestPage) {
    const detail = `it has ${bytes.length} bytes; at most ${largestPage} are accepted.`
    throw misunderstood(type, bytes, detail, pageTooLarge)
  }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw misunderstood(type, bytes, 'it is not JSON in UTF-8.')
  }
  const wrong = await schemaErrors(envelopeSchema, value, '')
  if (wrong !== null) throw misunderstood(type, bytes, wrong)
  return value as Message
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function faultIn(type: RequestType, data: unknown): Promise<DeviceFault> {
  const wrong = await schemaErrors(requestFailedSchema, data, 'data')
  if (wrong !== null) return misunderstood(type, data, wrong)
  const { code, reason, retryAfterSeconds } = data as RequestFailed
  // A busy PMS has done nothing, so the request is repeated.
  const is = code === 'busy' ? 'adapter-timeout' : 'vendor-error'
  return new DeviceFault(is, `The PMS refused ${type}: ${reason}`, {
    vendorCode: code === 'cursor-gone' ? cursorGone : code,
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  })
}

function misunderstood(
  type: RequestType,
  answer: unknown,
  what: string,
  vendorCode?: string,
): UnreadableAnswer {
  return new UnreadableAnswer(`The reply of the PMS to ${type} cannot be used: ${what}`, answer, {
    ...(vendorCode !== undefined && { vendorCode }),
  })
}
