import { isSameGuest, isSameStay, same } from './same.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'

/**
 * Members that a PMS has never told, as the house had them when it met what they belong to; what was empty is not in it. By the
 * place of a member: `/comment`, `/stays/<id>/status`, `/stays/<id>/guests/<id>/title`. What the house has otherwise since then
 * was changed here.
 */
export type Untold = Record<string, unknown>

type Members = Record<string, unknown>

/** Names of things, and the lists of things below. Payments are told by the house alone, each of them. */
const noMembers = ['externalId', 'localId', 'stays', 'payments']

/** One thing as the PMS had it before, is known to have it now, and as it is here. */
interface Met {
  at: string
  before: object | null
  known: object
  here: object
}

/**
 * What of a reservation the PMS has not told by now. `before` and `base` are what was known of it until now: a member of what was
 * met before stays as it was then.
 */
export function untoldOf(
  before: Untold | null,
  base: SharedReservation | null,
  known: SharedReservation,
  here: SharedReservation,
): Untold | null {
  const found: Untold = {}
  for (const met of thingsMet(base, known, here)) {
    for (const [name, is] of Object.entries(met.here)) {
      if (noMembers.includes(name) || (met.known as Members)[name] !== undefined) continue
      const place = `${met.at}/${name}`
      const value = met.before ? before?.[place] : is
      if (!same(value, null)) found[place] = value
    }
  }
  return Object.keys(found).length > 0 ? found : null
}

function thingsMet(base: SharedReservation | null, known: SharedReservation, here: SharedReservation): Met[] {
  const stays = here.stays.flatMap((stay) => {
    const has = known.stays.find((each) => isSameStay(each, stay))
    return has ? staysMet(base?.stays.find((each) => isSameStay(each, stay)) ?? null, has, stay) : []
  })
  return [{ at: '', before: base, known, here }, ...stays]
}

function staysMet(before: SharedStay | null, known: SharedStay, here: SharedStay): Met[] {
  const at = `/stays/${here.localId}`
  const guests = (here.guests ?? []).flatMap((guest): Met[] => {
    const has = known.guests?.find((each) => isSameGuest(each, guest))
    const was = before?.guests?.find((each) => isSameGuest(each, guest)) ?? null
    return has ? [{ at: `${at}/guests/${guest.localId}`, before: was, known: has, here: guest }] : []
  })
  return [{ at, before, known, here }, ...guests]
}

/** What the PMS has, completed by what it has never told: what `view` says otherwise was changed here. */
export function withUntold(
  base: SharedReservation,
  untold: Untold | null | undefined,
  view: SharedReservation,
): SharedReservation {
  const complete = <Thing extends object>(at: string, has: Thing, is: Thing | undefined): Thing => {
    const names = Object.keys(is ?? {}).filter((name) => !['externalId', 'localId', 'stays'].includes(name))
    const missing = names.filter((name) => (has as Members)[name] === undefined)
    return { ...has, ...Object.fromEntries(missing.map((name) => [name, untold?.[`${at}/${name}`] ?? null])) }
  }
  const stays = base.stays.map((has): SharedStay => {
    const is = view.stays.find((each) => isSameStay(each, has))
    const at = `/stays/${has.localId}`
    const { guests, ...stay } = complete(at, has, is)
    const known = (guests ?? []).map((guest) =>
      has.guests
        ? complete(
            `${at}/guests/${guest.localId}`,
            guest,
            is?.guests?.find((each) => isSameGuest(each, guest)),
          )
        : guest,
    )
    return { ...stay, guests: known }
  })
  return { ...complete('', base, view), stays }
}
