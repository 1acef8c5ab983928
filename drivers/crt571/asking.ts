import type { FaultCode } from '../../src/devices/fault.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { faultOf } from './errors.ts'
import type { Failure, Line } from './exchange.ts'
import type { CommandName, CommandTable } from './protocol.ts'
import { rules } from './protocol.ts'
import type { Negative, Positive } from './text.ts'

export interface Asking {
  /** The positive reply to a command. Rejects with a DeviceFault. */
  ask(name: CommandName, data?: Uint8Array): Promise<Positive>
  /** As `ask`; but `unheard` for a motion that was never confirmed, which the machine may or may not have taken. */
  tryMotion(name: CommandName): Promise<Positive | 'unheard'>
}

/** What is told of a failure. */
export const said: Record<Failure['end'], string> = {
  blocked: 'the line could not be cleared',
  declined: 'the machine reads every copy as damaged',
  unheard: 'no confirmation',
  unanswered: 'no reply',
  garbled: 'the reply cannot be read',
  gone: 'the wire has gone',
}

/**
 * Asks commands and turns what went wrong into faults. This is the place that decides what is known of the outcome:
 * a question moves nothing, so it can only be offline; a motion that left and came to no reply may have happened. A
 * reset no copy of which was confirmed counts as offline: whoever gets that answer initialises again, to the same end.
 */
export function asking(line: Line, commands: CommandTable): Asking {
  /** st0 as last heard; undefined while a card may be anywhere. */
  let seen: string | undefined

  return {
    async ask(name, data) {
      const reply = await attempt(name, data)
      if ('end' in reply) throw failed(name, reply)
      return reply
    },
    async tryMotion(name) {
      const reply = await attempt(name)
      if (!('end' in reply)) return reply
      if (reply.end === 'unheard' && reply.left) return 'unheard'
      throw failed(name, reply)
    },
  }

  async function attempt(name: CommandName, data?: Uint8Array): Promise<Positive | Failure> {
    const command = commands[name]
    if (!command) throw new DeviceFault('unsupported-operation', `${name}: not a command of this model`)
    const { acts, repeat } = rules[command.kind]
    const loaded = seen !== '0'
    let reply = await line.exchange(command, data)
    if (repeat && 'end' in reply && (reply.end === 'unanswered' || reply.end === 'garbled'))
      reply = await line.exchange(command, data)
    if ('ok' in reply && reply.ok) {
      seen = reply.card
      return reply
    }
    if (acts) seen = undefined
    if ('ok' in reply) throw refused(name, reply, acts && loaded)
    return reply
  }

  function failed(name: CommandName, { end, left }: Failure): DeviceFault {
    const { acts, resend } = rules[commands[name]!.kind]
    const sentInVain = end === 'unheard' && resend
    const code: FaultCode = acts && left && !sentInVain ? 'dispenser-timeout' : 'dispenser-offline'
    return new DeviceFault(code, `${name}: ${said[end]}`)
  }
}

/** `loaded`: a card stood in the path when the motion began, so a jam may have caught one that was written. */
function refused(name: CommandName, { code }: Negative, loaded: boolean): DeviceFault {
  const vendorCode = readable(code)
  return new DeviceFault(faultOf(code), `${name}: the machine answers ${vendorCode}`, {
    outcomeUnknown: loaded,
    vendorCode,
  })
}

/** The two error characters as they are told: in hexadecimal when nobody could read them. */
export function readable(code: string): string {
  return /^[\x21-\x7e]{2}$/.test(code) ? code : Buffer.from(code, 'latin1').toString('hex')
}
