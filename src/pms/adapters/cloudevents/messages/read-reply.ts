import { DeviceFault } from '../../../../devices/fault.ts'
import { parsedExactly } from '../../../json-text.ts'
import { cursorGone, pageTooLarge } from '../carrier.ts'
import { envelopeSchema, largestPage, type Message } from './envelope.ts'
import type { RequestFailed } from './message-data.ts'
import { requestFailedSchema } from './message-schemas.ts'
import { messages, type RequestType } from './messages.ts'
import { schemaErrors } from './read-message.ts'

/**
 * The `data` of the reply to a request, unchanged. Throws the DeviceFault of a `pms.request.failed`, and a vendor-error
 * for an invalid reply.
 */
export async function readReply(type: RequestType, bytes: Uint8Array): Promise<unknown> {
  const message = await messageIn(type, bytes)
  if (message.type === 'pms.request.failed') throw await faultIn(type, message.data)
  const { reply } = messages[type]
  if (message.type !== reply) throw misunderstood(type, `type: ${reply} was expected, not ${message.type}.`)
  // The answer of an extension is forwarded: its numbers may exceed those of JavaScript.
  if (reply === 'pms.extension.replied') return (parsedExactly(utf8.decode(bytes)) as Message).data
  return message.data
}

async function messageIn(type: RequestType, bytes: Uint8Array): Promise<Message> {
  if (bytes.length > largestPage) {
    const detail = `it has ${bytes.length} bytes; at most ${largestPage} are accepted.`
    throw misunderstood(type, detail, pageTooLarge)
  }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw misunderstood(type, 'it is not JSON in UTF-8.')
  }
  const wrong = await schemaErrors(envelopeSchema, value, '')
  if (wrong !== null) throw misunderstood(type, wrong)
  return value as Message
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function faultIn(type: RequestType, data: unknown): Promise<DeviceFault> {
  const wrong = await schemaErrors(requestFailedSchema, data, 'data')
  if (wrong !== null) return misunderstood(type, wrong)
  const { code, reason, retryAfterSeconds } = data as RequestFailed
  // A busy PMS has done nothing, so the request is repeated.
  const is = code === 'busy' ? 'adapter-timeout' : 'vendor-error'
  return new DeviceFault(is, `The PMS refused ${type}: ${reason}`, {
    vendorCode: code === 'cursor-gone' ? cursorGone : code,
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  })
}

function misunderstood(type: RequestType, what: string, vendorCode?: string): DeviceFault {
  return new DeviceFault('vendor-error', `The reply of the PMS to ${type} cannot be used: ${what}`, {
    ...(vendorCode !== undefined && { vendorCode }),
  })
}
