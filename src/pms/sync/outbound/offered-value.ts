import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { FieldGroup } from '../../resources/conflict-policy.ts'
import { groupAt } from '../merge/merge-fields.ts'
import { isSameGuest, isSameStay, same, sameMember } from '../merge/same.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'
import type { Intents } from './intents.ts'

interface ToOffer {
  /** The shadow; null where the PMS has nothing. */
  base: SharedReservation | null
  /** As it is here. */
  here: SharedReservation
  intents: Intents
  /** There are payments that the PMS is to record. Default: none. */
  isPaid?: boolean
  /** The groups that the PMS takes from here; null for all. */
  accepts: readonly FieldGroup[] | null
}

/** A reservation as the PMS is to have it. */
interface Offered {
  value: SharedReservation
  /**
   * What the PMS has otherwise, as JSON pointers into `value`: the whole (an empty pointer) where it has nothing; a stay or a guest
   * that is gone by its list.
   */
  changed: string[]
  /** Pointers by ids of intents that the PMS has already. */
  done: string[]
}

/** What a PMS is offered: what it has itself, and in its place what was changed here, as far as the PMS takes it. */
export function offeredValue({ base, here, intents, isPaid = false, accepts }: ToOffer): Offered {
  if (!base) return { value: here, changed: [''], done: [] }
  const [open, done] = [[] as string[], [] as string[]]
  for (const place of intents.pointers) (isOpen(base, here, place) ? open : done).push(place)
  const sent = open.filter((place) => !intents.refused.includes(place))
  const places = [...sent, ...structure(base, here), ...(isPaid ? ['/payments'] : [])]
  const taken = [...new Set(places)].filter((place) => {
    const group = groupAt(place)
    return accepts === null || group === null || accepts.includes(group)
  })
  const value = reservationOf(base, here, taken)
  return { value, changed: [...new Set(taken.map((place) => pointerInto(value, place)))], done }
}

/** Whether the PMS has something else at a place that was changed here. A stay that it does not have is sent as a whole. */
function isOpen(base: SharedReservation, here: SharedReservation, place: string): boolean {
  const [, top = '', stayId, member = '', guestId, ofGuest = ''] = place.split('/')
  if (stayId === undefined) return top !== 'payments' && !same((base as never)[top], (here as never)[top])
  const [has, is] = [base, here].map(({ stays }) => stays.find(({ localId }) => localId === stayId))
  if (!has || !is) return false
  if (member !== 'guests') return !sameMember(member, (has as never)[member], (is as never)[member])
  if (guestId === undefined) return !isSameList(has.guests ?? [], is.guests ?? [])
  const [known, guest] = [has, is].map(({ guests = [] }) => guests.find(({ localId }) => localId === guestId))
  return guest !== undefined && !sameMember(ofGuest, (known as never)?.[ofGuest], (guest as never)[ofGuest])
}

function isSameList(has: readonly SharedGuest[], is: readonly SharedGuest[]): boolean {
  return has.length === is.length && has.every((guest, at) => isSameGuest(guest, is[at]!))
}

/** Stays that were made here, and those that were deleted here. What the PMS has ended is over on both sides. */
function structure(base: SharedReservation, here: SharedReservation): string[] {
  const places = (
    of: SharedReservation,
    other: SharedReservation,
    isReported: (stay: SharedStay) => boolean,
  ) =>
    of.stays
      .filter((stay) => isReported(stay) && !other.stays.some((each) => isSameStay(each, stay)))
      .map(({ localId }) => `/stays/${localId}`)
  const isComing = ({ status }: SharedStay) => status === undefined || isLive(status)
  return [...places(here, base, isComing), ...places(base, here, () => true)]
}

type Members = Record<string, unknown>

function reservationOf(
  base: SharedReservation,
  view: SharedReservation,
  taken: readonly string[],
): SharedReservation {
  const stays = view.stays.flatMap((stay) => {
    const has = base.stays.find((each) => isSameStay(each, stay))
    if (has) return stayOf(has, stay, taken)
    return taken.includes(`/stays/${stay.localId}`) ? stay : []
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

/** The members of a thing but for some lists: those that are taken as they are here, the others as the PMS has reported them. */
function membersOf<Thing extends object>(
  at: string,
  has: Thing,
  is: Thing,
  taken: readonly string[],
  without: readonly string[],
): Thing {
  const reported: Members = { externalId: null, localId: null }
  for (const [name, value] of Object.entries(is)) {
    const known = (has as Members)[name]
    if (without.includes(name)) continue
    if (name === 'externalId' || name === 'localId' || taken.includes(`${at}/${name}`)) reported[name] = value
    else if (known !== undefined) reported[name] = known
  }
  return reported as Thing
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
