import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { registration } from '../resources/registration.ts'
import { wasPaidFor } from './refresh-reservation.ts'
import type { StayPorts } from './stay-policy.ts'

/** Returns whether a stay must be kept: it had a key or a payment, a payment is under way at a terminal, or a guest is registered. */
export function mustBeKept(tx: Transaction, stayId: string, ports: StayPorts): boolean {
  return (
    ports.everHadKey(tx, stayId) ||
    wasPaidFor(tx, stayId) ||
    ports.isBeingPaid(tx, stayId) ||
    tx.select(registration, having({ stayId }), [], 1).length > 0
  )
}

/** Throws 409 `resource-referenced` while a terminal has to report a payment for the stay. It must be recorded on the stay. */
export function refuseWhileBeingPaid(tx: Transaction, stayId: string, ports: StayPorts): void {
  if (!ports.isBeingPaid(tx, stayId)) return
  throw new Problem(
    'resource-referenced',
    'A payment terminal has not reported yet how a payment for the stay ended.',
    {
      meta: { by: 'terminal-payment', count: 1 },
    },
  )
}
