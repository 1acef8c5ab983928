import { flag } from '../../../resource/fields.ts'
import { Problem } from '../../../resource/problem.ts'
import type { SortKey } from '../../../resource/query.ts'
import { type Guard, type GuardRule, guards, type StayFacts } from './stay-guards.ts'

export const stayStatuses = [
  'Tentative',
  'Waitlisted',
  'Confirmed',
  'InHouse',
  'CheckedOut',
  'Canceled',
  'NoShow',
] as const
export type StayStatus = (typeof stayStatuses)[number]

/** Returns whether a stay is in the future or under way. */
export function isLive(status: StayStatus): boolean {
  return status === 'Waitlisted' || holdsUnits(status)
}

/**
 * Whether a stay, or a reservation, is over. A portal gives a number again, so what is found by a number is sorted by this: the open
 * ones first, and the newest of them.
 */
export const isOver = () =>
  flag({
    computed: `coalesce(status, '') NOT IN (${stayStatuses
      .filter(isLive)
      .map((each) => `'${each}'`)
      .join()})`,
    readOnly: true,
    hidden: true,
  })
export const openFirst: readonly SortKey[] = [
  { path: 'isOver', descending: false },
  { path: 'createdAt', descending: true },
]

/** Returns whether a stay with this status may have keys now: its guest is expected, or in house. */
export function isExpectedOrInHouse(status: StayStatus): boolean {
  return status === 'Confirmed' || status === 'InHouse'
}

/**
 * Returns whether a stay with this status takes a unit of its type from availability, and excludes its assigned units
 * from other stays. A Tentative stay does; a Waitlisted stay does not.
 */
export function holdsUnits(status: StayStatus): boolean {
  return status === 'Tentative' || status === 'Confirmed' || status === 'InHouse'
}

/**
 * An effect of a transition besides the new status, on the stay's fields. Units and keys need none: `unitsFollow` derives from
 * every write who is in a unit and which one became dirty, and `keysFollow` which keys the stay has.
 */
export type Effect =
  | 'snapshot-fee'
  | 'snapshot-no-show-fee'
  | 'clear-fee'
  | 'clear-unit'
  | 'record-check-in'
  | 'undo-check-in'
  | 'record-check-out'
  | 'undo-check-out'
  | 'shorten-end'

/** A line of the table: from each of some statuses to each of some others. */
export interface Transition {
  /** Null stands for a stay that does not exist yet. */
  from: readonly (StayStatus | null)[]
  to: readonly StayStatus[]
  /** All guards must hold. The caller gets the problem of the first guard that does not. */
  guards: readonly Guard[]
  effects: readonly Effect[]
}

/** All transitions between statuses. Any other transition is refused. */
export const transitions: readonly Transition[] = [
  {
    from: [null],
    to: ['Tentative', 'Waitlisted', 'Confirmed'],
    guards: ['dates-valid'],
    effects: [],
  },
  {
    // A walk-in, or a guest that the PMS reports as in house: the unit may be dirty.
    from: [null],
    to: ['InHouse'],
    guards: ['dates-valid', 'has-unit', 'has-started', 'alone-in-unit', 'unit-in-order'],
    effects: ['record-check-in'],
  },
  // No guard for availability: `writeStays` checks it for all stays after they are written.
  { from: ['Tentative', 'Waitlisted'], to: ['Confirmed'], guards: [], effects: [] },
  {
    from: ['Tentative', 'Waitlisted', 'Confirmed'],
    to: ['Canceled'],
    guards: [],
    effects: ['snapshot-fee'],
  },
  {
    from: ['Confirmed'],
    to: ['InHouse'],
    guards: [
      'within-stay',
      'not-over-at-kiosk',
      'has-unit',
      'alone-in-unit',
      'unit-in-order',
      'unit-ready',
      'booked-once',
      'registered',
      'settled-at-kiosk',
    ],
    effects: ['record-check-in'],
  },
  {
    from: ['Confirmed'],
    to: ['NoShow'],
    guards: ['after-start'],
    effects: ['snapshot-no-show-fee'],
  },
  {
    from: ['NoShow', 'Canceled'],
    to: ['Confirmed'],
    guards: ['may-reinstate'],
    effects: ['clear-unit', 'clear-fee'],
  },
  {
    from: ['InHouse'],
    to: ['CheckedOut'],
    guards: ['settled'],
    effects: ['record-check-out', 'shorten-end'],
  },
  {
    from: ['InHouse'],
    to: ['Confirmed'],
    guards: ['checked-in-today'],
    effects: ['undo-check-in'],
  },
  {
    from: ['CheckedOut'],
    to: ['InHouse'],
    guards: ['checked-out-today', 'alone-in-unit', 'unit-free'],
    effects: ['undo-check-out'],
  },
]

/** Conditions of the effects that do not always occur. */
export const conditions: Partial<Record<Effect, (facts: StayFacts, isReported: boolean) => boolean>> = {
  'shorten-end': ({ today, endDate }) => today < endDate,
  'clear-unit': ({ unitStillFree, unitStillFits }, isReported) =>
    (!isReported && !unitStillFree) || !unitStillFits,
}

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
  return { effects: row.effects.filter((effect) => conditions[effect]?.(facts, isReported) ?? true) }
}

/** Returns the statuses that a stay can take now, except its present one. */
export function allowedStatuses(from: StayStatus | null, facts: StayFacts): StayStatus[] {
  return stayStatuses.filter((to) => {
    const row = rowOf(from, to)
    return row !== null && brokenGuard(row, facts) === null
  })
}

/** Returns the line of the table for a change of status, or null. `from` is null for a new stay. */
export function rowOf(from: StayStatus | null, to: StayStatus): Transition | null {
  for (const row of transitions) if (row.from.includes(from) && row.to.includes(to)) return row
  return null
}

function brokenGuard(row: Transition, facts: StayFacts, isReported = false): Guard | null {
  for (const guard of row.guards) {
    const { forDesk, holds }: GuardRule = guards[guard]
    if (!(isReported && forDesk) && !holds(facts)) return guard
  }
  return null
}

function guardProblem(guard: Guard, facts: StayFacts, allowed: StayStatus[]): Problem {
  const { code, detail, pointer = '/status', meta }: GuardRule = guards[guard]
  const sentence = typeof detail === 'string' ? detail : detail(facts)
  return new Problem(code, sentence, { pointer, meta: { guard, allowed, ...meta?.(facts) } })
}
