import { DeviceFault } from '../../../devices/fault.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import type { ExtensionAnswer, ExtensionRequest } from '../../contract.ts'
import { JsonText } from '../../json-text.ts'
import type { Carrier } from './carrier.ts'
import type { ExtensionReplied } from './messages/message-data.ts'
import { extensionRepliedSchema } from './messages/message-schemas.ts'
import { schemaErrors } from './messages/read-message.ts'

/**
 * Forwards an extension request to the PMS unchanged. Throws validation-failed for the errors that the PMS finds in it.
 */
export async function forwardExtension(
  carrier: Carrier,
  { name, method, query, body }: ExtensionRequest,
  call: Call,
): Promise<ExtensionAnswer> {
  const data = { name, method, query, body: body === '' ? null : new JsonText(body) }
  const reply = await carrier.request('pms.extension.invoked', data, call)
  const wrong = await schemaErrors(extensionRepliedSchema, reply, 'the answer')
  if (wrong !== null) {
    throw new DeviceFault('vendor-error', `The PMS sent an answer to ${name} that cannot be used: ${wrong}`)
  }
  const answer = reply as ExtensionReplied
  if (answer.is === 'refused') throw new Problem('validation-failed', answer.reason, { pointer: '' })
  return answer
}
