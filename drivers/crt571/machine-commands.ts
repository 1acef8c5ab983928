import { failureTexts, type LineFailure } from '../../src/devices/driving/line-failure.ts'
import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import { faultOf } from './errors.ts'
import type { Crt571Failure, Crt571Line } from './exchange.ts'
import { type CommandTable, type Crt571CommandName, rules } from './protocol.ts'
import type { Negative, Positive } from './text.ts'

export type MachineCommands = ReturnType<typeof machineCommands>

/** The text of a failure. */
export const lineFailureTexts: Record<LineFailure, string> = {
  ...failureTexts,
  blocked: 'the line could not be cleared',
}

/**
 * Sends commands and turns failures into faults. This code decides whether the outcome is known: a query moves nothing,
 * so its failure is always offline; a motion that was sent without a reply may have been executed. A reset of which no
 * copy was acknowledged counts as offline: the client initialises again, with the same result.
 */
export function machineCommands(line: Crt571Line, commands: CommandTable) {
  /** The last st0; undefined while the position of the card is unknown. */
  let seen: string | undefined

  return {
    /** Sends a command and returns its positive reply. Rejects with a DeviceFault. */
    async ask(name: Crt571CommandName, data?: Uint8Array): Promise<Positive> {
      const reply = await attempt(name, data)
      if ('end' in reply) throw failed(name, reply)
      return reply
    },
    /**
     * Like `ask`, but resolves with `unheard` for a motion that was never acknowledged: the machine may or may not have
     * received it.
     */
    async tryMotion(name: Crt571CommandName): Promise<Positive | 'unheard'> {
      const reply = await attempt(name)
      if (!('end' in reply)) return reply
      if (reply.end === 'unheard' && reply.left) return 'unheard'
      throw failed(name, reply)
    },
  }

  async function attempt(name: Crt571CommandName, data?: Uint8Array): Promise<Positive | Crt571Failure> {
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

  function failed(name: Crt571CommandName, { end, left }: Crt571Failure): DeviceFault {
    const { acts, resend } = rules[commands[name]!.kind]
    // A command that may be sent again without an ACK gives the same result if it is repeated.
    const isRepeatable = end === 'unheard' && resend
    const code: FaultCode = acts && left && !isRepeatable ? 'dispenser-timeout' : 'dispenser-offline'
    return new DeviceFault(code, `${name}: ${lineFailureTexts[end]}`)
  }
}

/** `loaded`: a card was in the path when the motion began, so a jam may hold a card that was written. */
function refused(name: Crt571CommandName, { code }: Negative, loaded: boolean): DeviceFault {
  const vendorCode = readable(code)
  return new DeviceFault(faultOf(code), `${name}: the machine answers ${vendorCode}`, {
    outcomeUnknown: loaded,
    vendorCode,
  })
}

/** The two error characters as text; in hexadecimal when they are not printable. */
export function readable(code: string): string {
  return /^[\x21-\x7e]{2}$/.test(code) ? code : Buffer.from(code, 'latin1').toString('hex')
}
