import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../resource/problem.ts'
import { differences, type StayForm } from './stay-form.ts'

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

/** A profile entry of a body: one that is there, or one to be made. */
interface Entry {
  id?: string | undefined
  role?: string | undefined
}

interface Place {
  unitTypeId: string
  unitId: string | null
}

/**
 * Who only checks guests in and out takes a stay from Confirmed to InHouse and on to CheckedOut, adds guests who were
 * not known yet, and leaves the guest's comment. Units come by assignment; one that is not ready after all may be given
 * back before the check-in, to be assigned another. Throws 403 `scope-required` naming the scope and the first field that
 * goes beyond that.
 */
export function refuseBeyondRights(
  before: StayForm,
  after: StayForm,
  profiles: readonly Entry[],
  rights: StayRights,
): void {
  if (rights.write) return
  const mayChange = ['status', 'guestComment', 'profiles']
  if (rights.checkIn && onlyGivesBack(before, after)) mayChange.push('units')
  const beyond = differences(before, after).find((field) => !mayChange.includes(field))
  if (beyond) throw needs('reservations.write', `/${beyond}`)
  const known = before.profiles as Entry[]
  if (!onlyAddsGuests(known, profiles)) throw needs('reservations.write', '/profiles')
  if (profiles.length > known.length && !rights.checkIn) throw needs('stays.checkin', '/profiles')
  const [from, to] = [before.status, after.status]
  if (from === to) return
  const isCheckIn = from === 'Confirmed' && to === 'InHouse'
  const isCheckOut = from === 'InHouse' && to === 'CheckedOut'
  if (!isCheckIn && !isCheckOut) throw needs('reservations.write', '/status')
  if (isCheckIn && !rights.checkIn) throw needs('stays.checkin', '/status')
  if (isCheckOut && !rights.checkOut) throw needs('stays.checkout', '/status')
}

/** The same places, some of them without the unit they had. */
function onlyGivesBack(before: StayForm, after: StayForm): boolean {
  const [had, has] = [before.units as Place[], after.units as Place[]]
  const isPlace = ({ unitTypeId, unitId }: Place, index: number) =>
    had[index]?.unitTypeId === unitTypeId && (unitId === null || had[index]?.unitId === unitId)
  return (
    before.status === 'Confirmed' &&
    after.status === 'Confirmed' &&
    had.length === has.length &&
    has.every(isPlace)
  )
}

/** A profile that is already kept is named only where it was named before. */
function onlyAddsGuests(before: readonly Entry[], after: readonly Entry[]): boolean {
  const kept = after.filter(({ id }) => id !== undefined).map(({ id, role }) => ({ id, role }))
  return isDeepStrictEqual(kept, before)
}

function needs(scope: string, pointer: string): Problem {
  return new Problem('scope-required', `${pointer.slice(1)} needs the scope ${scope}.`, {
    pointer,
    meta: { scope },
  })
}
