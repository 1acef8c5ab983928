import type { FaultCode } from '../../devices/fault.ts'
import type { ServiceAnswer } from '../../devices/key-service.ts'
import { Problem, type ProblemCode } from '../../resource/problem.ts'
import { faultBehind } from '../handles/device-problem.ts'

type Code = FaultCode | ProblemCode

/** The codes after which nothing was done and a retry may soon succeed. */
const passing: readonly Code[] = [
  'lock-system-busy',
  'lock-system-retry',
  'encoder-busy',
  'dispenser-reset-required',
  'dispenser-busy-with-guest',
  'busy',
  'starting-up',
]

/** The messages for the clerk, at most 40 characters, which is the length that a PMS displays. */
const sentences: Partial<Record<Code, string>> = {
  'unit-occupied': 'Another guest is in house in this room',
  'no-original-key': 'No key of this guest to copy',
  'unit-unknown': 'The room has no lock here',
  'controller-not-found': 'The encoder is not set up here',
  'stay-status-transition': 'The stay of this guest has ended',
  'too-many-extra-units': 'Too many further rooms for one card',
  'end-before-start': 'The key would end before it starts',
  'authorization-unknown': 'An option is not known here',
  'foreign-card': 'The card is not one of ours; left as is',
  'encoder-offline': 'The encoder is not connected',
  'encoder-timeout': 'No card was laid on the encoder in time',
  'no-card': 'No card was laid on the encoder in time',
  'multiple-cards': 'More than one card is on the encoder',
  'card-incompatible': 'The card is of the wrong type',
  'card-write-protected': 'The card refuses to be written',
  'card-worn': 'The card is worn out; take another',
  'lock-system-unreachable': 'The lock system cannot be reached',
  'lock-system-rejected': 'The lock system refused',
  'dispenser-offline': 'The card dispenser is not connected',
  'dispenser-empty': 'The card dispenser is empty',
  'dispenser-inactive': 'The card dispenser is out of service',
  'dispenser-busy-with-guest': 'A card waits at the dispenser',
  'encoder-busy': 'The encoder is busy',
  'clock-implausible': 'The clock of the key box is in doubt',
  'box-fenced': 'Another key box has this property',
  'lock-system-busy': 'The lock system is busy',
}

/** The answer to the PMS for a failed order. `failed` gets an error that is neither a DeviceFault nor a Problem. */
export function failedAnswer(error: unknown, failed: (error: unknown) => void): ServiceAnswer {
  const fault = faultBehind(error)
  if (fault?.outcomeUnknown) return { outcome: 'refused', text: 'Card may be a key or not: read it first' }
  const known = fault ?? (error instanceof Problem ? error : null)
  if (!known) {
    failed(error)
    return { outcome: 'refused', text: 'Unexpected error; look at the card' }
  }
  const code = known.code as Code
  return { outcome: passing.includes(code) ? 'busy' : 'refused', text: sentences[code] ?? known.message }
}
