import type { Reader } from '../../resource/keeper.ts'
import { first, having } from '../../resource/query.ts'
import { helpCall } from '../resources/help-call.ts'
import { usable } from './hand-over-code.ts'

/** After this time a call is an alarm of the status too. */
const patienceMs = 3 * 60_000
const mostShown = 100

/** A kiosk whose guest waits for a person of the front desk. */
export interface UnansweredCall {
  /** Its name, or the id of a kiosk without one. */
  kiosk: string
  /** Whole minutes. */
  minutes: number
}

/** Returns the calls that no person has taken for three minutes, until they end. `now` is in Unix milliseconds. */
export function unansweredCalls(reader: Reader, now: number): UnansweredCall[] {
  return reader
    .rows(helpCall, first([...having({ takenAt: null }), usable(now)], mostShown))
    .filter(({ createdAt }) => now - createdAt >= patienceMs)
    .map(({ kioskId, kioskName, createdAt }) => ({
      kiosk: kioskName ?? kioskId,
      minutes: Math.floor((now - createdAt) / 60_000),
    }))
}
