import { differing } from '../merge/same.ts'
import { defined, withNames } from '../merge/shadow-document.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'
import { movesWithoutPrice } from './unstated-price.ts'

type Members = Record<string, unknown>

/** What a report says otherwise of a stay than the shadow. */
export interface StayDelta {
  has: SharedStay
  /** As the shadow is to be, with the names of the appliance. */
  reported: SharedStay
  /** The members that differ. */
  names: string[]
}

/** The difference between a shadow and a report. */
export interface ReportDelta {
  /** Members of the reservation itself, as they are stored. */
  changed: Record<string, string | null>
  stays: StayDelta[]
  /** The shadow after the report. */
  next: SharedReservation
}

const ownMembers = ['channel', 'purpose', 'comment', 'guestComment']
/** The states in which no guest is here or was, and nothing of the past is restored. */
const planned = ['Confirmed', 'Tentative', 'Waitlisted']
/** Members that nothing of what has happened in the house can stand against. */
export const unaffected = ['comment', 'guestComment', 'reservationIds', 'guests']

/**
 * The difference between the shadow and a report. Null where the report has more to it than changed members: other stays or
 * guests, members that were never reported before, and everything that what has happened in the house may stand against.
 */
export function deltaOf(shadow: SharedReservation, report: SharedReservation): ReportDelta | null {
  const names = changedIn(shadow, report, ['externalId', 'localId', 'stays'])
  if (!names?.every((name) => ownMembers.includes(name))) return null
  if (shadow.stays.length !== report.stays.length) return null
  const stays: StayDelta[] = []
  const next: SharedStay[] = []
  for (const reported of report.stays) {
    const has = only(shadow.stays, (each) => each.externalId === reported.externalId)
    const delta = has?.localId && reported.externalId ? stayDelta(has, reported) : null
    if (!delta) return null
    next.push(delta.reported)
    if (delta.names.length > 0) stays.push(delta)
  }
  const own = report as unknown as Members
  const changed = Object.fromEntries(names.map((name) => [name, (own[name] as string) || null]))
  return {
    changed,
    stays,
    next: { ...shadow, ...defined(report), localId: shadow.localId ?? null, stays: next },
  }
}

function stayDelta(has: SharedStay, report: SharedStay): StayDelta | null {
  if (has.amount && movesWithoutPrice(has, report)) return null
  const reported: SharedStay = { ...has, ...defined(report), localId: has.localId ?? null }
  const units = withNames(report.units, has.units)
  if (units) reported.units = units
  if (report.guests) {
    const guests = guestsOf(has.guests ?? [], report.guests)
    if (!guests) return null
    reported.guests = guests
  }
  const names = changedIn(has, reported, ['externalId', 'localId'])
  return names?.every((name) => isPlanned(has, reported, name)) ? { has, reported, names } : null
}

/** Whether no key, guest or allotment can stand against a change of this member. */
function isPlanned(has: SharedStay, reported: SharedStay, name: string): boolean {
  if (unaffected.includes(name)) return true
  if (!planned.includes(has.status ?? '')) return false
  if (name === 'status') return !['InHouse', 'CheckedOut'].includes(reported.status ?? '')
  return name !== 'units' || !has.units?.some(({ unitName }) => unitName)
}

/** The guests with their ids here; null where they are not the same persons in the same order with the same members. */
function guestsOf(before: readonly SharedGuest[], report: readonly SharedGuest[]): SharedGuest[] | null {
  if (before.length !== report.length) return null
  const guests = report.map((each, at) => {
    const has = before[at]!
    const isSame = has.role === each.role && Boolean(each.externalId) && has.externalId === each.externalId
    const isKnown = has.localId && isSame && changedIn(has, each, ['externalId', 'localId'])
    return isKnown ? { ...has, ...defined(each), localId: has.localId ?? null } : null
  })
  return guests.every((each) => each !== null) ? guests : null
}

/** The members that a report says otherwise than the shadow; null where it has one that the shadow has never had. */
function changedIn(has: object, reported: object, without: readonly string[]): string[] | null {
  const known = has as Members
  const isNew = ([name, value]: [string, unknown]) =>
    value !== undefined && known[name] === undefined && !without.includes(name)
  return Object.entries(reported).some(isNew) ? null : differing(reported, has, without)
}

function only<Item>(items: readonly Item[], isSame: (item: Item) => boolean): Item | null {
  const found = items.filter(isSame)
  return found.length === 1 ? found[0]! : null
}
