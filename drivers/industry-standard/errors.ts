import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import type { EncoderRequest, ExchangeOutcome } from './exchange.ts'
import { answers, refusals } from './protocol.ts'

type Unanswered = Exclude<ExchangeOutcome, { end: 'answered' }>

const unsent: Record<Extract<Unanswered, { left: false }>['end'], { code: FaultCode; text: string }> = {
  busy: { code: 'lock-system-busy', text: 'the lock system is busy' },
  declined: { code: 'lock-system-busy', text: 'the lock system declined the request each time' },
  owing: { code: 'encoder-busy', text: 'the answer to an earlier request is still outstanding' },
  silent: { code: 'lock-system-unreachable', text: 'the lock system does not answer' },
  gone: { code: 'lock-system-unreachable', text: 'the line was closed' },
}

const sent: Record<Extract<Unanswered, { left: true }>['end'], string> = {
  unconfirmed: 'the request was not confirmed',
  unanswered: 'no answer in time',
  garbled: 'the answer is damaged',
  gone: 'the line was closed before an answer came',
}

/** The fields of the answer. Any other outcome throws a DeviceFault, whose text never contains `password`. */
export function answerOf(
  outcome: ExchangeOutcome,
  { name }: EncoderRequest,
  password: string | null,
): readonly string[] {
  if (outcome.end === 'answered') {
    const [firstField = ''] = outcome.fields
    if (answers(name, firstField)) return outcome.fields
    throw refused(name, outcome, password)
  }
  if (!outcome.left) {
    const { code, text } = unsent[outcome.end]
    // A check-out uses no encoder.
    const isEncoders = code === 'encoder-busy' && name !== 'CO'
    throw new DeviceFault(
      code === 'encoder-busy' && !isEncoders ? 'lock-system-busy' : code,
      `${name}: ${text}`,
    )
  }
  throw new DeviceFault(withoutAnswer(name, outcome.end), `${name}: ${sent[outcome.end]}`)
}

/** Reading changes nothing, so its outcome is never unknown. */
function withoutAnswer(name: EncoderRequest['name'], end: keyof typeof sent): FaultCode {
  if (name !== 'LT') return 'lock-system-timeout'
  return end === 'gone' ? 'lock-system-unreachable' : 'encoder-timeout'
}

function refused(
  name: EncoderRequest['name'],
  { fields, calledOff }: Extract<ExchangeOutcome, { end: 'answered' }>,
  password: string | null,
): DeviceFault {
  const [vendorCode = '', , words = ''] = fields
  if (calledOff && vendorCode === 'EE')
    return new DeviceFault('no-card', `${name}: no card came in time, and the request was cancelled`, {
      vendorCode,
    })
  const { text, fault, unclear } = refusals[vendorCode] ?? {
    text: 'an unknown failure',
    fault: 'vendor-error',
  }
  const code = name === 'CA1' && vendorCode === 'EA' ? 'lock-system-limit' : fault
  const detail = words === '' ? '' : `: ${masked(words, password).slice(0, longestWords)}`
  const options = { vendorCode, outcomeUnknown: unclear === true && name !== 'LT' }
  return new DeviceFault(code, `${name}: ${vendorCode}, ${text}${detail}`, options)
}

const longestWords = 120

function masked(words: string, password: string | null): string {
  return password === null ? words : words.replaceAll(password, '***')
}
