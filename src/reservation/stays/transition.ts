import { Problem } from '../../resource/problem.ts'
import {
  conditions,
  type Effect,
  type Guard,
  type GuardRule,
  guards,
  type StayFacts,
  type StayStatus,
  stayStatuses,
  type Transition,
  transitions,
} from './status-rules.ts'

/**
 * Returns the effects of a stay's transition to the status `to`; `from` is null for a new stay. There are none when the
 * stay has this status. Throws 409 `stay-status-transition` when the table has no such transition, or the problem of
 * the first guard that does not hold. `meta.allowed` holds the statuses that would be accepted now. For a reported
 * event the guards marked `forDesk` are skipped.
 */
export function transition(
  from: StayStatus | null,
  to: StayStatus,
  facts: StayFacts,
  { isReported = false }: { isReported?: boolean | undefined } = {},
): { effects: Effect[] } {
  if (from === to) return { effects: [] }
  const row = rowOf(from, to)
  if (!row) {
    const allowed = allowedStatuses(from, facts)
    const detail = from ? `A stay that is ${from} cannot become ${to}.` : `A new stay cannot be ${to}.`
    throw new Problem('stay-status-transition', detail, { pointer: '/status', meta: { allowed } })
  }
  const guard = brokenGuard(row, facts, isReported)
  if (guard) throw guardProblem(guard, facts, allowedStatuses(from, facts))
  return { effects: row.effects.filter((effect) => conditions[effect]?.(facts) ?? true) }
}

/** Returns the statuses that a stay can take now, except its present one. */
export function allowedStatuses(from: StayStatus | null, facts: StayFacts): StayStatus[] {
  return stayStatuses.filter((to) => {
    const row = rowOf(from, to)
    return row !== undefined && brokenGuard(row, facts) === undefined
  })
}

function rowOf(from: StayStatus | null, to: StayStatus): Transition | undefined {
  return transitions.find((row) => row.from.includes(from) && row.to.includes(to))
}

function brokenGuard(row: Transition, facts: StayFacts, isReported = false): Guard | undefined {
  return row.guards.find((guard) => {
    const { forDesk, holds }: GuardRule = guards[guard]
    return !(isReported && forDesk) && !holds(facts)
  })
}

/**
 * Returns the shortest sequence of statuses from `from` (excluded) to `to` by the table, or null when there is none.
 */
export function stepsBetween(from: StayStatus, to: StayStatus): StayStatus[] | null {
  const ways = new Map<StayStatus, StayStatus[]>([[from, []]])
  for (const [at, way] of ways) {
    if (at === to) return way
    for (const next of stayStatuses) if (!ways.has(next) && rowOf(at, next)) ways.set(next, [...way, next])
  }
  return null
}

function guardProblem(guard: Guard, facts: StayFacts, allowed: StayStatus[]): Problem {
  const { code, detail, pointer = '/status', meta }: GuardRule = guards[guard]
  return new Problem(code, detail, { pointer, meta: { guard, allowed, ...meta?.(facts) } })
}
