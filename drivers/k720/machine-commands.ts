import { failureTexts, type LineFailure } from '../../src/devices/driving/line-failure.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { type K720Failure, type K720Line, offer, query } from './line.ts'
import { commands, type K720Command, type K720CommandName, type QueryName } from './protocol.ts'
import { readState } from './state-word.ts'

const lineFailureTexts: Record<LineFailure, string> = {
  ...failureTexts,
  blocked: 'the wire does not accept bytes',
}

/** The state word. A query without an answer is sent once more. Rejects with a DeviceFault. */
export async function stateOf(line: K720Line): Promise<number> {
  let payload = await query(line, commands.status)
  if (!(payload instanceof Uint8Array) && payload.begun && payload.end !== 'gone')
    payload = await query(line, commands.status)
  const word = payload instanceof Uint8Array ? readState(payload) : null
  if (word !== null) return word
  throw failed('status', payload instanceof Uint8Array ? { end: 'garbled', begun: true } : payload)
}

/** The reply to a question that not every firmware knows; null when there is none. Rejects with a DeviceFault. */
export async function ask(line: K720Line, name: Exclude<QueryName, 'status'>): Promise<Uint8Array | null> {
  const payload = await query(line, commands[name])
  if (payload instanceof Uint8Array) return payload
  if (payload.end === 'unanswered' || payload.end === 'declined') return null
  throw failed(name, payload)
}

/** Sends a command without a reply. Resolves once the machine may begin. Rejects with a DeviceFault. */
export async function order(line: K720Line, name: Exclude<K720CommandName, QueryName>): Promise<void> {
  const failure = await offer(line, commands[name])
  if (failure) throw failed(name, failure)
}

/**
 * The fault for a failure of the line. An unacknowledged command was not executed. A command that was begun may have
 * been executed, unless it is a question or a setting, which move no card.
 */
function failed(name: K720CommandName, { end, begun }: K720Failure): DeviceFault {
  const { kind }: K720Command = commands[name]
  const moves = kind === 'motion' || kind === 'reset'
  return new DeviceFault(
    moves && begun ? 'dispenser-timeout' : 'dispenser-offline',
    `${name}: ${lineFailureTexts[end]}`,
  )
}
