import { isDeepStrictEqual } from 'node:util'
import type { Entry, Outcome } from './entry.ts'

/** A call of a device as it is recorded. */
export type CallEntry = Extract<Entry, { kind: 'call' }>

/** One call, as it went and as it goes when the device says the same again. Null: no end of it is known. */
export interface ReplayedCall {
  call: CallEntry
  recorded: Outcome | null
  replayed: Outcome | null
  /** Whether the driver has sent the same bytes, as far as they are kept. */
  sentSame: boolean
  agrees: boolean
}

/** A call that is made again. */
export interface Known {
  call: CallEntry
  recorded: Outcome | null
  replayed: Outcome | null
  /** Hex, as recorded and as it was sent now. */
  recordedSent: string[]
  sent: string[]
}

/** Whether a call went as it is recorded. */
export function judged({ call, recorded, replayed, recordedSent, sent }: Known): ReplayedCall {
  // Of a call that has no end in the recording nobody knows what else it sent.
  const sentSame = recorded === null || recordedSent.join('') === sent.join('')
  const agrees = recorded === null || (sentSame && isSameOutcome(recorded, replayed))
  return { call, recorded, replayed, sentSame, agrees }
}

/** By value, or by the fault's code and what it says of the outcome; texts are for people. */
function isSameOutcome(one: Outcome, other: Outcome | null): boolean {
  if (other === null) return false
  if ('value' in one || 'value' in other)
    return 'value' in one && 'value' in other && isDeepStrictEqual(one.value, other.value)
  const { text: _one, ...fault } = one.fault
  const { text: _other, ...again } = other.fault
  return isDeepStrictEqual(fault, again)
}
