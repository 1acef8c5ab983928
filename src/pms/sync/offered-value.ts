import type { FieldGroup } from '../resources/conflict-policy.ts'
import { groupAt } from './merge-fields.ts'
import { differences, isSameGuest, isSameStay } from './same.ts'
import type { SharedGuest, SharedReservation, SharedStay } from './shared-reservation.ts'
import { type Untold, withUntold } from './untold.ts'

interface ToOffer {
  /** What the PMS is known to have; null where that is nothing. */
  base: SharedReservation | null
  untold: Untold | null | undefined
  /** As the house tells it. */
  view: SharedReservation
  /** The groups that the PMS takes from here; null for all. */
  accepts: readonly FieldGroup[] | null
}

/**
 * What a PMS is offered: the members that it has told and those that were changed here, and of what it does not take what it has
 * itself. `changed` names what it has otherwise, as JSON pointers into `value`: the whole (an empty pointer) where it has nothing; a
 * stay or a guest that is gone by its list.
 */
export function offeredValue({ base, untold, view, accepts }: ToOffer): {
  value: SharedReservation
  changed: string[]
} {
  if (!base) return { value: view, changed: [''] }
  const places = differences(withUntold(base, untold, view), view).map(({ pointer }) => pointer)
  const taken = places.filter((place) => {
    const group = groupAt(place)
    return accepts === null || group === null || accepts.includes(group)
  })
  const value = reservationOf(base, view, taken)
  return { value, changed: [...new Set(taken.map((place) => pointerInto(value, place)))] }
}

type Members = Record<string, unknown>

function reservationOf(
  base: SharedReservation,
  view: SharedReservation,
  taken: readonly string[],
): SharedReservation {
  const stays = view.stays.map((stay) => {
    const has = base.stays.find((each) => isSameStay(each, stay))
    return has ? stayOf(has, stay, taken) : stay
  })
  return { ...membersOf('', base, view, taken, ['stays']), stays }
}

function stayOf(has: SharedStay, is: SharedStay, taken: readonly string[]): SharedStay {
  const at = `/stays/${is.localId}`
  const stay = membersOf(at, has, is, taken, ['guests'])
  if (!taken.some((place) => place === `${at}/guests` || place.startsWith(`${at}/guests/`))) {
    return has.guests ? { ...stay, guests: has.guests } : stay
  }
  const guests = (is.guests ?? []).map((guest): SharedGuest => {
    const known = has.guests?.find((each) => isSameGuest(each, guest))
    return known ? membersOf(`${at}/guests/${guest.localId}`, known, guest, taken, []) : guest
  })
  return { ...stay, guests }
}

/** The members of a thing but for some lists: those that are taken as they are here, those that the PMS has told as it has them. */
function membersOf<Thing extends object>(
  at: string,
  has: Thing,
  is: Thing,
  taken: readonly string[],
  without: readonly string[],
): Thing {
  const told: Members = { externalId: null, localId: null }
  for (const [name, value] of Object.entries(is)) {
    const known = (has as Members)[name]
    if (without.includes(name)) continue
    if (name === 'externalId' || name === 'localId' || taken.includes(`${at}/${name}`)) told[name] = value
    else if (known !== undefined) told[name] = known
  }
  return told as Thing
}

/** `/stays/<localId>/guests/<localId>/title` by the places in the lists. */
function pointerInto(value: SharedReservation, byIds: string): string {
  const [, ...names] = byIds.split('/')
  const steps: string[] = []
  let list: { localId?: string | null; guests?: { localId?: string | null }[] }[] | undefined
  for (const name of names) {
    if (list) {
      const index: number = list.findIndex(({ localId }) => localId === name)
      if (index < 0) break
      steps.push(String(index))
      list = undefined
      continue
    }
    steps.push(name)
    if (name === 'stays') list = value.stays
    else if (name === 'guests') list = value.stays[Number(steps[1])]?.guests
  }
  return `/${steps.join('/')}`
}
