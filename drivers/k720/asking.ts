import type { FaultCode } from '../../src/devices/fault.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Failure, Line } from './line.ts'
import type { Command, CommandName, Query, QueryName } from './protocol.ts'
import { commands } from './protocol.ts'
import { readState } from './state-word.ts'

export interface Asking {
  /** The state word. */
  state(): Promise<number>
  /** The reply to a question that not every firmware knows; null when there is none. */
  ask(name: Exclude<QueryName, 'status'>): Promise<Uint8Array | null>
  /** Sends a command without a reply. Resolves once the machine was told to begin. */
  tell(name: Exclude<CommandName, QueryName>): Promise<void>
  close(): void
}

const said: Record<Failure['end'], string> = {
  declined: 'the machine reads every copy as damaged',
  unheard: 'no confirmation',
  unanswered: 'no reply',
  garbled: 'the reply cannot be read',
  blocked: 'the wire takes nothing',
  gone: 'the wire has gone',
}

/**
 * Converts failures of the line into faults. An unacknowledged command was not executed. A command that was started may
 * have been executed, unless it is a question or a setting, which move no card.
 */
export function asking({ ask, tell, close }: Line): Asking {
  return {
    async state() {
      const payload = await twice(() => ask(commands.status))
      const word = payload instanceof Uint8Array ? readState(payload) : null
      if (word !== null) return word
      throw failed('status', payload instanceof Uint8Array ? { end: 'garbled', begun: true } : payload)
    },
    async ask(name) {
      const query: Query = commands[name]
      const payload = await ask(query)
      if (payload instanceof Uint8Array) return payload
      if (payload.end === 'unanswered' || payload.end === 'declined') return null
      throw failed(name, payload)
    },
    async tell(name) {
      const failure = await tell(commands[name])
      if (failure) throw failed(name, failure)
    },
    close,
  }

  async function twice(question: () => Promise<Uint8Array | Failure>) {
    const first = await question()
    return first instanceof Uint8Array || !first.begun || first.end === 'gone' ? first : await question()
  }
}

function failed(name: CommandName, { end, begun }: Failure): DeviceFault {
  const { kind }: Command = commands[name]
  const moves = kind === 'motion' || kind === 'reset'
  const code: FaultCode = moves && begun ? 'dispenser-timeout' : 'dispenser-offline'
  return new DeviceFault(code, `${name}: ${said[end]}`)
}
