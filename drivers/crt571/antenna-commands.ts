import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import type { AntennaCommandName } from './antenna-protocol.ts'
import { antennaFaultOf, cardIsSilent, known } from './errors.ts'
import type { Crt571Failure, Crt571Line } from './exchange.ts'
import { lineFailureTexts, readable } from './machine-commands.ts'
import { type CommandTable, type Crt571CommandName, rules } from './protocol.ts'

/** The result of a command for a card. `silent`: there is no card, or none that answers. */
export type CardOutcome =
  | { data: Uint8Array }
  | { no: 'refused' | 'silent' | 'out of range'; vendorCode: string }

export type AntennaCommands = ReturnType<typeof antennaCommands>

const statusWords: Record<string, 'done' | 'refused' | 'out of range'> = {
  '9000': 'done',
  '6F00': 'refused',
  '6B00': 'out of range',
  '6700': 'out of range',
}

/** Sends commands to the antenna. A write that was sent and received no reply is `encoder-timeout-writing`. */
export function antennaCommands(line: Crt571Line, commands: CommandTable) {
  return {
    /** Sends a command that concerns no card. Rejects with a DeviceFault. */
    async ask(name: Crt571CommandName, data?: Uint8Array): Promise<{ data: Uint8Array }> {
      const outcome = await attempt(name, data)
      if ('data' in outcome) return outcome
      throw new DeviceFault('vendor-error', `${name}: the machine answers ${outcome.vendorCode}`, outcome)
    },
    /** Sends a command for the card. Rejects with a DeviceFault when the machine or the line failed. */
    async askCard(name: AntennaCommandName, data?: Uint8Array): Promise<CardOutcome> {
      const outcome = await attempt(name, data)
      return 'data' in outcome && 'ins' in (commands[name] ?? {}) ? judged(name, outcome.data) : outcome
    },
  }

  async function attempt(name: Crt571CommandName, data?: Uint8Array): Promise<CardOutcome> {
    const command = commands[name]
    if (!command) throw new DeviceFault('unsupported-operation', `${name}: not a command of this model`)
    const { repeat } = rules[command.kind]
    let reply = await line.exchange(command, data)
    if (repeat && 'end' in reply && (reply.end === 'unanswered' || reply.end === 'garbled'))
      reply = await line.exchange(command, data)
    if ('end' in reply) throw failed(name, reply)
    if (reply.ok) return { data: reply.data }
    const vendorCode = readable(reply.code)
    if (cardIsSilent.includes(known(reply.code))) return { no: 'silent', vendorCode }
    throw new DeviceFault(antennaFaultOf(reply.code), `${name}: the machine answers ${vendorCode}`, {
      vendorCode,
    })
  }

  function failed(name: Crt571CommandName, { end, left }: Crt571Failure): DeviceFault {
    const mayBeWritten = rules[commands[name]!.kind].acts && left
    const otherwise: FaultCode = end === 'gone' ? 'encoder-offline' : 'encoder-timeout'
    return new DeviceFault(
      mayBeWritten ? 'encoder-timeout-writing' : otherwise,
      `${name}: ${lineFailureTexts[end]}`,
    )
  }
}

/** A failed card command has a positive reply too: its last two bytes hold the result. */
function judged(name: AntennaCommandName, data: Uint8Array): CardOutcome {
  const word = Buffer.from(data.subarray(-2)).toString('hex').toUpperCase()
  const verdict = statusWords[word] ?? 'refused'
  return verdict === 'done' ? { data: data.slice(0, -2) } : { no: verdict, vendorCode: word || name }
}
