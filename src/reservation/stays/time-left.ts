import { Problem } from '../../resource/problem.ts'
import type { Stay } from '../resources/stay.ts'
import { isLive } from './rules/status-rules.ts'
import { guards } from './rules/stay-guards.ts'

/** What a guest at a kiosk needs from the payment to the key: two minutes at the terminal, two for the card, and a reserve. */
const paymentToKeyMs = 5 * 60_000

type PlannedStay = Pick<Stay, 'status' | 'plannedEndsAt'>

/** Whether the planned departure of a stay has come. `now` is in Unix milliseconds. */
export function isOver({ plannedEndsAt }: Omit<PlannedStay, 'status'>, now: number): boolean {
  return now >= (plannedEndsAt ?? 0)
}

/** The Problem for a stay whose departure has come: 409 `stay-status-transition` with the guard `not-over-at-kiosk`. */
export function stayIsOver(): Problem {
  const { code, detail } = guards['not-over-at-kiosk']
  return new Problem(code, detail, { meta })
}

/**
 * Whether a guest who pays at a kiosk now still gets a key that opens. It is true for every stay whose guest waits for no key: one in
 * house pays for what was used.
 */
export function hasTimeToPay(row: PlannedStay, now: number): boolean {
  return !isExpected(row.status) || !isOver(row, now + paymentToKeyMs)
}

/** Throws 409 `stay-status-transition` with the guard `not-over-at-kiosk` unless a guest has time to pay at a kiosk. */
export function expectTimeToPay(row: PlannedStay, now: number): void {
  if (hasTimeToPay(row, now)) return
  throw new Problem(
    'stay-status-transition',
    'The departure of the stay has come, or comes before the guest can use a key, so no payment is taken. The front desk can set a later departure.',
    { meta },
  )
}

/** Whether the guest of a stay is still to be checked in. */
export function isExpected(status: Stay['status']): boolean {
  return isLive(status) && status !== 'InHouse'
}

const meta = { guard: 'not-over-at-kiosk', ...guards['not-over-at-kiosk'].meta() }
