import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import { stepsBetween } from './status.ts'
import { reportPolicy, type StayPorts, writeStay } from './write-stay.ts'

/**
 * Sets some fields of a stay as a PMS has reported that they are. A status several steps away is gone to step by step, so
 * that everything follows that follows from each. Where a step cannot be, nothing of it is written: `problem` says why, and
 * `row` is the stay after the steps before it. The summary of the reservation is the caller's.
 */
export function writeReported(
  tx: Transaction,
  before: Stay,
  { status = before.status, ...fields }: StayInput,
  ports: StayPorts,
): { row: Stay; problem: Problem | null } {
  const steps = stepsBetween(before.status, status)
  if (!steps) {
    const detail = `A stay that is ${before.status} cannot become ${status}.`
    return { row: before, problem: new Problem('stay-status-transition', detail, { pointer: '/status' }) }
  }
  const [first = before.status, ...further] = steps
  const { reservationId } = before
  let row = before
  for (const input of [{ ...fields, status: first }, ...further.map((next) => ({ status: next }))]) {
    try {
      row = writeStay(tx, { reservationId, before: row, input }, reportPolicy(ports))
    } catch (error) {
      if (error instanceof Problem) return { row, problem: error }
      throw error
    }
  }
  return { row, problem: null }
}
