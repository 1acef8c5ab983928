import { isDeepStrictEqual } from 'node:util'
import type { CallOutcome, RecordingEntry } from './entry.ts'

/** The recorded entry of a call. */
export type CallEntry = Extract<RecordingEntry, { kind: 'call' }>

/** One call, with its recorded and its replayed outcome. Null: the outcome is not known. */
export interface ReplayedCall {
  call: CallEntry
  recorded: CallOutcome | null
  replayed: CallOutcome | null
  /** Whether the driver sent the same bytes, as far as they are recorded. */
  sentSame: boolean
  agrees: boolean
}

/** A call that is being replayed. */
export interface Known {
  call: CallEntry
  recorded: CallOutcome | null
  replayed: CallOutcome | null
  /** Hex, as recorded and as sent in the replay. */
  recordedSent: string[]
  sent: string[]
}

/** Compares a call with its recording. */
export function judged({ call, recorded, replayed, recordedSent, sent }: Known): ReplayedCall {
  // Without a recorded outcome, the recorded bytes may be incomplete.
  const sentSame = recorded === null || recordedSent.join('') === sent.join('')
  const agrees = recorded === null || (sentSame && isSameOutcome(recorded, replayed))
  return { call, recorded, replayed, sentSame, agrees }
}

/** Compares outcomes: by value, or by the fault's fields without its text, which is for people. */
function isSameOutcome(one: CallOutcome, other: CallOutcome | null): boolean {
  if (other === null) return false
  if ('value' in one || 'value' in other)
    return 'value' in one && 'value' in other && isDeepStrictEqual(one.value, other.value)
  const { text: _one, ...fault } = one.fault
  const { text: _other, ...again } = other.fault
  return isDeepStrictEqual(fault, again)
}
