import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import { rowOf, type StayStatus, stayStatuses } from './rules/status-rules.ts'
import { reportPolicy, type StayPorts } from './stay-policy.ts'
import { writeStay } from './write-stay.ts'

/**
 * Writes the fields of a stay that a PMS reported. If the reported status is several transitions away, the stay takes
 * each status in turn, so that the effects of each transition occur. For example, Confirmed to CheckedOut goes through
 * InHouse. If a transition fails, `problem` holds its reason and `row` the stay after the previous transition. The
 * caller must refresh the reservation.
 */
export function writeReported(
  tx: Transaction,
  before: Stay,
  input: StayInput,
  ports: StayPorts,
): { row: Stay; problem: Problem | null } {
  const inputs = inputsFor(before, input)
  if (inputs instanceof Problem) return { row: before, problem: inputs }
  let row = before
  for (const each of inputs) {
    const written = tx.attempt((part) => writeOne(part, row, each, ports))
    if (written.problem) return { row, problem: written.problem }
    row = written.result
  }
  return { row, problem: null }
}

/** Does the same in a part of the caller, who takes it back as a whole: throws the Problem of a transition that fails. */
export function writeReportedWhole(tx: Transaction, before: Stay, input: StayInput, ports: StayPorts): Stay {
  const inputs = inputsFor(before, input)
  if (inputs instanceof Problem) throw inputs
  return inputs.reduce((row, each) => writeOne(tx, row, each, ports), before)
}

function writeOne(tx: Transaction, before: Stay, input: StayInput, ports: StayPorts): Stay {
  return writeStay(tx, { reservationId: before.reservationId, before, input }, reportPolicy(ports))
}

/** The fields with the first status, then each further status. */
function inputsFor(before: Stay, { status = before.status, ...fields }: StayInput): StayInput[] | Problem {
  const steps = stepsBetween(before.status, status)
  if (!steps) {
    const detail = `A stay that is ${before.status} cannot become ${status}.`
    return new Problem('stay-status-transition', detail, { pointer: '/status' })
  }
  const [first = before.status, ...further] = steps
  return [{ ...fields, status: first }, ...further.map((next) => ({ status: next }))]
}

/**
 * Returns the shortest sequence of statuses from `from` (excluded) to `to` by the table, or null when there is none.
 */
function stepsBetween(from: StayStatus, to: StayStatus): StayStatus[] | null {
  const ways = new Map<StayStatus, StayStatus[]>([[from, []]])
  for (const [at, way] of ways) {
    if (at === to) return way
    for (const next of stayStatuses) if (!ways.has(next) && rowOf(at, next)) ways.set(next, [...way, next])
  }
  return null
}
