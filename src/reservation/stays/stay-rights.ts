import { isDeepStrictEqual } from 'node:util'
import type { GuestProof } from '../../jsonapi/guests.ts'
import { Problem } from '../../resource/problem.ts'
import type { ProfileEntry, Stay, StayInput } from '../resources/stay.ts'
import { changedBy, unitsInForm } from './stay-form.ts'

/** What the caller's scopes allow on stays. */
export interface StayRights {
  /** reservations.write: every change that the stay's status allows. */
  write: boolean
  /** stays.checkin */
  checkIn: boolean
  /** stays.checkout */
  checkOut: boolean
  /** reservations.reinstate */
  reinstate: boolean
  /** The caller reports facts: a stay is accepted even when no unit is left. True for a PMS. */
  overbook: boolean
  /** What a kiosk knows of the guest, null without a proof; absent for all other callers. */
  atKiosk?: GuestProof | null
}

/** The rights of a caller that has every scope. */
export const allRights: StayRights = {
  write: true,
  checkIn: true,
  checkOut: true,
  reinstate: true,
  overbook: true,
}

/**
 * Checks a change by a caller without reservations.write. Such a caller may check a guest in (Confirmed to InHouse)
 * with stays.checkin and out (InHouse to CheckedOut) with stays.checkout, add guests without a profile, and write the
 * guest's comment. Before the check-in the caller may also release a unit, for example one that is not ready, so that
 * another unit can be assigned. Throws 403 `scope-required` with the missing scope and the first field that needs it.
 */
export function refuseBeyondRights(before: Stay, input: StayInput, rights: StayRights): void {
  if (rights.write) return
  const mayChange = ['status', 'guestComment', 'profiles']
  if (rights.checkIn && onlyGivesBack(before, input)) mayChange.push('units')
  const beyond = changedBy(before, input).find((field) => !mayChange.includes(field))
  if (beyond) throw needs('reservations.write', `/${beyond}`)
  if (input.profiles !== undefined) refuseGuests(before, input.profiles ?? [], rights)
  const [from, to] = [before.status, input.status ?? before.status]
  if (from === to) return
  const isCheckIn = from === 'Confirmed' && to === 'InHouse'
  const isCheckOut = from === 'InHouse' && to === 'CheckedOut'
  if (!isCheckIn && !isCheckOut) throw needs('reservations.write', '/status')
  if (isCheckIn && !rights.checkIn) throw needs('stays.checkin', '/status')
  if (isCheckOut && !rights.checkOut) throw needs('stays.checkout', '/status')
}

/** Returns whether a Confirmed stay keeps its places, and at most loses units. */
function onlyGivesBack(before: Stay, { status = before.status, units = before.units }: StayInput): boolean {
  const [had, has] = [unitsInForm(before.units), unitsInForm(units)]
  return (
    before.status === 'Confirmed' &&
    status === 'Confirmed' &&
    had.length === has.length &&
    has.every(
      ({ unitTypeId, unitId }, index) =>
        had[index]?.unitTypeId === unitTypeId && (unitId === null || had[index]?.unitId === unitId),
    )
  )
}

/**
 * Throws 403 `scope-required` unless the input names the same existing profiles as the stay. Whole profiles, of new
 * guests, need stays.checkin.
 */
function refuseGuests(before: Stay, entries: readonly ProfileEntry[], rights: StayRights): void {
  const known = (before.profiles ?? []).map(({ id, role }) => ({ id, role }))
  const named = entries.filter(({ id }) => id !== undefined).map(({ id, role }) => ({ id, role }))
  if (!isDeepStrictEqual(named, known)) throw needs('reservations.write', '/profiles')
  if (entries.length > known.length && !rights.checkIn) throw needs('stays.checkin', '/profiles')
}

/** Returns the 403 `scope-required` for a member of a body that needs a scope. */
export function needs(scope: string, pointer: string): Problem {
  return new Problem('scope-required', `${pointer.slice(1)} needs the scope ${scope}.`, {
    pointer,
    meta: { scope },
  })
}
