import { Problem, type ProblemCode } from '../../resource/problem.ts'
import type { UnitStatus } from '../property/unit-status.ts'

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
 * Returns whether a stay with this status takes a unit of its type from availability, and excludes its assigned units
 * from other stays. A Tentative stay does; a Waitlisted stay does not.
 */
export function holdsUnits(status: StayStatus): boolean {
  return status === 'Tentative' || status === 'Confirmed' || status === 'InHouse'
}

/** The facts that the status rules read. Dates are the property's, YYYY-MM-DD. */
export interface StayFacts {
  today: string
  startDate: string
  endDate: string
  unitAssigned: boolean
  /** Null when no unit is assigned. */
  unitStatus: UnitStatus | null
  /** The unit has a status in which it may be assigned to an arriving guest. */
  unitStatusAllowed: boolean
  /** Another stay is in house on the same unit. */
  otherInHouse: boolean
  /** The outstanding amount in minor units; null when unknown. */
  outstanding: number | null
  /** The stay or one of its services has a price. `outstanding` is null if the prices are in several currencies. */
  isPriced: boolean
  allowOpenBalance: boolean
  /** The caller holds the scope reservations.reinstate. */
  canReinstate: boolean
  /** The units of the stay are free for its dates. */
  unitStillFree: boolean
  /** The units still have the types of their places and are not blocked for the dates of the stay. */
  unitStillFits: boolean
  /** The check-in, or the check-out, was on the property's current date. */
  checkedInToday: boolean
  checkedOutToday: boolean
}

/** The name of a guard. */
export type Guard = keyof typeof guards

/**
 * An effect of a transition besides the new status, on the stay's fields or its keys. The units need none: `unitsFollow` derives
 * from every write who is in a unit and which one became dirty.
 */
export type Effect =
  | 'snapshot-fee'
  | 'snapshot-no-show-fee'
  | 'clear-fee'
  | 'remove-virtual-keys'
  | 'revoke-live-keys'
  | 'remove-keys'
  | 'invalidate-keys'
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
    // A walk-in, or a guest that the PMS reports as in house: the unit may be dirty, but no other guest may be in it.
    from: [null],
    to: ['InHouse'],
    guards: ['dates-valid', 'has-unit', 'has-started', 'alone-in-unit'],
    effects: ['record-check-in'],
  },
  // No guard for availability: `writeStays` checks it for all stays after they are written.
  { from: ['Tentative', 'Waitlisted'], to: ['Confirmed'], guards: [], effects: [] },
  {
    from: ['Tentative', 'Waitlisted', 'Confirmed'],
    to: ['Canceled'],
    guards: [],
    effects: ['snapshot-fee', 'remove-virtual-keys', 'revoke-live-keys'],
  },
  {
    from: ['Confirmed'],
    to: ['InHouse'],
    guards: ['within-stay', 'has-unit', 'unit-ready', 'alone-in-unit'],
    effects: ['record-check-in'],
  },
  {
    from: ['Confirmed'],
    to: ['NoShow'],
    guards: ['after-start'],
    effects: ['snapshot-no-show-fee', 'remove-keys'],
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
    effects: ['record-check-out', 'shorten-end', 'revoke-live-keys'],
  },
  {
    from: ['InHouse'],
    to: ['Confirmed'],
    guards: ['checked-in-today'],
    effects: ['undo-check-in', 'invalidate-keys'],
  },
  {
    from: ['CheckedOut'],
    to: ['InHouse'],
    guards: ['checked-out-today', 'unit-free'],
    effects: ['undo-check-out'],
  },
]

/** A condition of a transition, and the problem when it does not hold. */
export interface GuardRule {
  holds(facts: StayFacts): boolean
  /** The guard protects the front desk from mistakes. It does not apply to reported events. */
  forDesk?: true
  code: ProblemCode
  detail: string
  /** Where the problem is, if not at the status. */
  pointer?: string
  meta?(facts: StayFacts): Record<string, unknown>
}

/** The guards by name. */
export const guards = {
  'dates-valid': {
    holds: ({ startDate, endDate }) => startDate <= endDate,
    code: 'end-before-start',
    detail: 'The stay ends before it starts.',
    pointer: '/endDate',
  },
  'has-unit': {
    holds: ({ unitAssigned }) => unitAssigned,
    code: 'unit-required',
    detail: 'A guest in house needs a unit.',
  },
  'has-started': {
    forDesk: true,
    holds: ({ startDate, today }) => startDate <= today,
    code: 'stay-status-transition',
    detail: 'The stay has not started yet. Check in from its first day on.',
  },
  'alone-in-unit': {
    holds: ({ otherInHouse }) => !otherInHouse,
    code: 'unit-occupied',
    detail: 'Another guest is in house in the unit. Check that guest out, or assign another unit.',
  },
  'within-stay': {
    forDesk: true,
    holds: ({ startDate, today, endDate }) => startDate <= today && today <= endDate,
    code: 'stay-status-transition',
    detail: 'Today is not within the stay.',
  },
  'unit-ready': {
    forDesk: true,
    holds: ({ unitStatusAllowed }) => unitStatusAllowed,
    code: 'stay-status-transition',
    detail: 'The unit is not ready for a guest. Set its status when it is cleaned, or assign another unit.',
    meta: ({ unitStatus }) => ({ unitStatus }),
  },
  'after-start': {
    forDesk: true,
    holds: ({ startDate, today }) => today > startDate,
    code: 'stay-status-transition',
    detail: 'The day of arrival is not over yet, so the stay is not a no-show.',
  },
  'may-reinstate': {
    forDesk: true,
    holds: ({ canReinstate }) => canReinstate,
    code: 'scope-required',
    detail: 'Reinstating a stay needs the scope reservations.reinstate.',
    meta: () => ({ scope: 'reservations.reinstate' }),
  },
  settled: {
    forDesk: true,
    // A stay without prices has no balance here: another system keeps the bill.
    holds: ({ outstanding, isPriced, allowOpenBalance }) =>
      allowOpenBalance || outstanding === 0 || (outstanding === null && !isPriced),
    code: 'balance-outstanding',
    detail: 'There is an outstanding balance. Record the payment first.',
    meta: ({ outstanding }) => ({ outstanding }),
  },
  'checked-in-today': {
    forDesk: true,
    holds: ({ checkedInToday }) => checkedInToday,
    code: 'stay-status-transition',
    detail: 'A check-in can be reverted on its own day only.',
  },
  'checked-out-today': {
    forDesk: true,
    holds: ({ checkedOutToday }) => checkedOutToday,
    code: 'stay-status-transition',
    detail: 'A check-out can be undone on its own day only.',
  },
  'unit-free': {
    holds: ({ unitStillFree }) => unitStillFree,
    code: 'unit-occupied',
    detail: 'The unit has been assigned to another stay. Assign another unit first.',
  },
} as const satisfies Record<string, GuardRule>

/** Conditions of the effects that do not always occur. */
export const conditions: Partial<Record<Effect, (facts: StayFacts) => boolean>> = {
  'shorten-end': ({ today, endDate }) => today < endDate,
  'clear-unit': ({ unitStillFree, unitStillFits }) => !unitStillFree || !unitStillFits,
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
  return { effects: row.effects.filter((effect) => conditions[effect]?.(facts) ?? true) }
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
  return new Problem(code, detail, { pointer, meta: { guard, allowed, ...meta?.(facts) } })
}
