import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../resource/problem.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import { changedBy, unitsInForm } from './stay-form.ts'
import type { ProfileEntry } from './stay-profiles.ts'

/** What the caller's scopes let him do to a stay beyond checking a guest in. */
export interface StayRights {
  /** reservations.write: everything the stay's status allows. */
  write: boolean
  /** stays.checkin */
  checkIn: boolean
  /** stays.checkout */
  checkOut: boolean
  /** reservations.reinstate */
  reinstate: boolean
  /** What he tells has happened elsewhere: it is kept even where no unit is left. So it is with a PMS. */
  overbook: boolean
}

/** Those of somebody whom nothing but the stay itself can keep from a change. */
export const allRights: StayRights = {
  write: true,
  checkIn: true,
  checkOut: true,
  reinstate: true,
  overbook: true,
}

/**
 * Who only checks guests in and out takes a stay from Confirmed to InHouse and on to CheckedOut, adds guests who were
 * not known yet, and leaves the guest's comment. Units come by assignment; one that is not ready after all may be given
 * back before the check-in, to be assigned another. Throws 403 `scope-required` naming the scope and the first field that
 * goes beyond that.
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

/** The same places, some of them without the unit they had. */
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

/** A profile that is already kept is named only where it was named before. */
function refuseGuests(before: Stay, entries: readonly ProfileEntry[], rights: StayRights): void {
  const known = (before.profiles ?? []).map(({ id, role }) => ({ id, role }))
  const named = entries.filter(({ id }) => id !== undefined).map(({ id, role }) => ({ id, role }))
  if (!isDeepStrictEqual(named, known)) throw needs('reservations.write', '/profiles')
  if (entries.length > known.length && !rights.checkIn) throw needs('stays.checkin', '/profiles')
}

function needs(scope: string, pointer: string): Problem {
  return new Problem('scope-required', `${pointer.slice(1)} needs the scope ${scope}.`, {
    pointer,
    meta: { scope },
  })
}
