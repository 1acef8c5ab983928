import type { ProblemCode } from '../../../resource/problem.ts'
import type { MissingRegistration } from '../../values/registration-fields.ts'
import type { UnitStatus } from '../../values/unit-status.ts'

/** Another guest who is in house in a unit of the stay. */
export interface GuestInTheWay {
  stayId: string
  reservationId: string
  /** First and last name of the main guest; null when the stay has no guest with a name. */
  guestName: string | null
  unitName: string
  /** The date of the check-in at the property. */
  since: string
  /** The planned departure. A guest who should have left has one that is past. */
  endDate: string
}

/** A unit of a stay that is out of order today. */
export interface OutOfOrder {
  unitName: string
  /** The last day on which it is out of order; null where that is not known. */
  until: string | null
  /** Null where none is recorded. */
  reason: string | null
}

/** The facts that the status rules read. Dates are the property's, YYYY-MM-DD. */
export interface StayFacts {
  today: string
  startDate: string
  endDate: string
  /** The planned departure has come, so a key would not open, and the caller may not set a later one. */
  isOverAtKiosk: boolean
  unitAssigned: boolean
  /** Null when no unit is assigned. */
  unitStatus: UnitStatus | null
  /** The unit has a status in which it may be assigned to an arriving guest. */
  unitStatusAllowed: boolean
  /** The unit of the stay that is out of order today; null for none. */
  outOfOrder: OutOfOrder | null
  /** The other guests who are in house in a unit of the stay. */
  othersInHouse: readonly GuestInTheWay[]
  /** The caller may know other guests: a person at the front desk, not a kiosk. */
  mayKnowOthers: boolean
  /** A PMS has reported the unit for another stay at the same time. */
  unitBookedTwice: boolean
  /** The outstanding amount in minor units; null when unknown. */
  outstanding: number | null
  /** The stay or one of its services has a price. `outstanding` is null if the prices are in several currencies. */
  isPriced: boolean
  allowOpenBalance: boolean
  /**
   * The guest may be checked in without a payment: by a person at the front desk, and at a kiosk if the property takes payments
   * later or the desk has released the stay.
   */
  mayCheckInUnpaid: boolean
  /** The guests whose registrations the house needs and does not have. */
  missingRegistrations: readonly MissingRegistration[]
  /** The front desk has said why the guests are checked in without them. */
  isRegistrationWaived: boolean
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

/** A condition of a transition, and the problem when it does not hold. */
export interface GuardRule {
  holds(facts: StayFacts): boolean
  /** The guard protects the front desk from mistakes. It does not apply to reported events. */
  forDesk?: true
  code: ProblemCode
  detail: string | ((facts: StayFacts) => string)
  /** Where the problem is, if not at the status. */
  pointer?: string
  meta?(facts: StayFacts): Record<string, unknown>
}

/**
 * A guest who has paid too much is settled: the surplus remains in `outstanding` of the stay, below zero, until it is refunded.
 * A stay without prices has no balance here: another system keeps the bill.
 */
const isSettled = ({ outstanding, isPriced, allowOpenBalance }: StayFacts) =>
  allowOpenBalance || (outstanding === null ? !isPriced : outstanding <= 0)

const unpaid = {
  forDesk: true,
  code: 'balance-outstanding',
  detail: ({ outstanding }: StayFacts) =>
    outstanding === null
      ? 'The balance is not known, because the prices of the stay are in several currencies. Set all of them in one currency first.'
      : 'There is an outstanding balance. Record the payment first.',
  meta: ({ outstanding }: StayFacts) => ({ outstanding }),
} as const

/** What a kiosk says of a unit with another guest. */
export const notFreeYet = 'The unit is not free yet. The front desk can help.'

function inHouseText({ unitName, since, endDate }: GuestInTheWay): string {
  return `A guest is in house in unit ${unitName} since ${since}, with departure on ${endDate}. Check that guest out, or assign another unit.`
}

/** A registration that was complete lacks what the house has asked for since. */
function registrationText(missing: readonly (readonly string[])[]): string {
  if (missing.some((fields) => fields.length === 0))
    return 'Not every guest of the stay is registered. Register them first. The front desk may check in without it, for a reason.'
  const names = [...new Set(missing.flat())].map((pointer) => pointer.slice(1).replace('/', '.')).join(', ')
  return `A registration lacks what the house needs: ${names}. Correct it first. The front desk may check in without it, for a reason.`
}

function outOfOrderText({ unitName, until, reason }: OutOfOrder): string {
  if (until && reason)
    return `Room ${unitName} is out of order until ${until}: ${reason}. Assign another room.`
  if (until) return `Room ${unitName} is out of order until ${until}. Assign another room.`
  if (reason) return `Room ${unitName} is out of order: ${reason}. Assign another room.`
  return `Room ${unitName} is out of order. Assign another room.`
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
    forDesk: true,
    holds: ({ othersInHouse }) => othersInHouse.length === 0,
    code: 'unit-occupied',
    detail: ({ othersInHouse: [other], mayKnowOthers }) =>
      other && mayKnowOthers ? inHouseText(other) : notFreeYet,
    meta: ({ othersInHouse, mayKnowOthers }) =>
      mayKnowOthers
        ? { stayIds: othersInHouse.map(({ stayId }) => stayId), inHouse: othersInHouse }
        : { guest: 'desk' },
  },
  'booked-once': {
    forDesk: true,
    holds: ({ unitBookedTwice }) => !unitBookedTwice,
    code: 'unit-occupied',
    detail: 'The PMS has given the unit to another stay too. Decide the conflict, or assign another unit.',
  },
  'within-stay': {
    forDesk: true,
    holds: ({ startDate, today, endDate }) => startDate <= today && today <= endDate,
    code: 'stay-status-transition',
    detail: 'Today is not within the stay. Change its dates, then check in.',
  },
  // The front desk may record a check-in that was forgotten, and may set a later departure.
  'not-over-at-kiosk': {
    forDesk: true,
    holds: ({ isOverAtKiosk }) => !isOverAtKiosk,
    code: 'stay-status-transition',
    detail:
      'The departure of the stay has come, so a key would not open. The front desk can set a later departure.',
    meta: () => ({ guest: 'desk' }),
  },
  'unit-in-order': {
    forDesk: true,
    holds: ({ outOfOrder }) => outOfOrder === null,
    code: 'stay-status-transition',
    detail: ({ outOfOrder }) => outOfOrderText(outOfOrder!),
    meta: ({ outOfOrder, unitStatus }) => ({ unitStatus, outOfOrder }),
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
  settled: { ...unpaid, holds: isSettled },
  'settled-at-kiosk': { ...unpaid, holds: (facts) => facts.mayCheckInUnpaid || isSettled(facts) },
  registered: {
    forDesk: true,
    holds: ({ isRegistrationWaived, missingRegistrations }) =>
      isRegistrationWaived || missingRegistrations.length === 0,
    code: 'registration-required',
    detail: ({ missingRegistrations }) => registrationText(missingRegistrations.map(({ fields }) => fields)),
    meta: ({ missingRegistrations }) => ({ missing: missingRegistrations }),
  },
  'checked-in-today': {
    forDesk: true,
    holds: ({ checkedInToday }) => checkedInToday,
    code: 'stay-status-transition',
    detail: 'A check-in can be undone on its own day only.',
  },
  'checked-out-today': {
    forDesk: true,
    holds: ({ checkedOutToday }) => checkedOutToday,
    code: 'stay-status-transition',
    detail: 'A check-out can be undone on its own day only.',
  },
  'unit-free': {
    forDesk: true,
    holds: ({ unitStillFree }) => unitStillFree,
    code: 'unit-occupied',
    detail: 'The unit has been assigned to another stay. Assign another unit first.',
  },
} as const satisfies Record<string, GuardRule>

/** The name of a guard. */
export type Guard = keyof typeof guards
