import { isLive } from '../../reservation/stays/status-rules.ts'
import { differences, same } from './same.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'

/** Where the house keeps otherwise what the PMS told: as long as it stands as it was kept, the house says what it was told. */
export interface Differing {
  /** By the place of a member: `/stays/<id>/ratePlanCode`, `/stays/<id>/guests/<id>/birthDate`. */
  members: Record<string, { kept: unknown; told: unknown }>
  /** Stays that the PMS has no more, and that are over here. */
  goneStays: string[]
}

/**
 * The reservation as the house tells it to its PMS: as it is here, but with what it was told where that could not be kept, so
 * that nobody takes for a change what is only a word the house does not know.
 */
export function houseView(
  here: SharedReservation,
  differing: Differing | null | undefined,
): SharedReservation {
  if (!differing) return here
  const stays = here.stays.filter(
    ({ localId, status }) =>
      !differing.goneStays.includes(localId ?? '') || status === undefined || isLive(status),
  )
  const places = Object.entries(differing.members)
  if (places.length === 0) return { ...here, stays }
  const view = { ...here, stays: stays.map(copied) }
  for (const [pointer, { kept, told }] of places) {
    const place = placeOf(view, pointer)
    if (place && same(place.holder[place.name], kept)) place.holder[place.name] = told
  }
  return view
}

/** As far down as members are written. */
function copied(stay: SharedStay): SharedStay {
  return { ...stay, ...(stay.guests && { guests: stay.guests.map((each) => ({ ...each })) }) }
}

/** What of the result is not here as it was told, but for what is to be offered as it is here. */
export function differingFrom(
  result: SharedReservation,
  here: SharedReservation,
  { offered, goneStays }: { offered: readonly string[]; goneStays: readonly string[] },
): Differing | null {
  const members = differences(result, here).filter(
    ({ pointer }) => !offered.includes(pointer) && placeOf(here, pointer) && pointer !== '/payments',
  )
  if (members.length === 0 && goneStays.length === 0) return null
  return {
    members: Object.fromEntries(members.map(({ pointer, told, has }) => [pointer, { kept: has, told }])),
    goneStays: [...goneStays],
  }
}

type Holder = Record<string, unknown>

/** Where a member is written that a pointer by ids names; null when what holds it is not there. */
export function placeOf(value: SharedReservation, pointer: string): { holder: Holder; name: string } | null {
  const [, ...names] = pointer.split('/')
  const name = names.pop()!
  let holder: unknown = value
  for (let at = 0; at < names.length; at += 2) {
    const list = (holder as Holder)[names[at]!]
    holder = Array.isArray(list) ? list.find((each) => each.localId === names[at + 1]) : undefined
    if (holder === undefined) return null
  }
  const isMember = names.length % 2 === 0 && name !== 'stays' && name !== 'guests'
  return isMember ? { holder: holder as Holder, name } : null
}
