import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { fullName } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedStay } from '../shared-reservation.ts'
import { isSameGuest } from './same.ts'

/** One thing as it was, as the house has it, and as the PMS reports it; null where it is not. */
export interface Triple<Thing> {
  base: Thing | null
  local: Thing | null
  upstream: Thing | null
}

/** Whether something known is what was reported. The tests are tried one after the other for all items, the surest first. */
type IsSame<Thing> = (known: Thing, reported: Thing, isHere: boolean) => boolean

interface Named {
  externalId?: string | null
  localId?: string | null
}

/**
 * Finds what belongs together: first what the house has, in its order, then what only the PMS has, then what is gone on
 * both sides. What was and what the house has belong together by `isKnown`.
 */
function tripled<Thing extends Named>(
  { base, local, upstream }: Record<'base' | 'local' | 'upstream', readonly Thing[]>,
  isKnown: (a: Thing, b: Thing) => boolean,
  passes: readonly IsSame<Thing>[],
): Triple<Thing>[] {
  const triples: Triple<Thing>[] = local.map((each) => ({
    base: base.find((other) => isKnown(other, each)) ?? null,
    local: each,
    upstream: null,
  }))
  const goneHere = base
    .filter((each) => !local.some((other) => isKnown(each, other)))
    .map((each): Triple<Thing> => ({ base: each, local: null, upstream: null }))
  const left = new Set(upstream)
  for (const isSame of passes) {
    for (const reported of left) {
      const found = [...triples, ...goneHere].find(
        (triple) => !triple.upstream && isSameAs(triple, reported, isSame),
      )
      if (!found) continue
      found.upstream = reported
      left.delete(reported)
    }
  }
  const onlyThere = [...left].map((each): Triple<Thing> => ({ base: null, local: null, upstream: each }))
  return [...triples, ...onlyThere, ...goneHere]
}

function isSameAs<Thing extends Named>(
  { base, local }: Triple<Thing>,
  reported: Thing,
  isSame: IsSame<Thing>,
): boolean {
  const names = [base?.externalId, local?.externalId].filter((name) => name)
  if (reported.externalId && names.length > 0 && !names.includes(reported.externalId)) return false
  return (
    (base !== null && isSame(base, reported, local !== null)) ||
    (local !== null && isSame(local, reported, true))
  )
}

function bySameName<Thing extends Named>(known: Thing, reported: Thing): boolean {
  return Boolean(reported.externalId) && known.externalId === reported.externalId
}

function byLocalId<Thing extends Named>(known: Thing, reported: Thing): boolean {
  return Boolean(reported.localId) && known.localId === reported.localId
}

/** What is over is not taken for a new stay of the same day. */
function byDay(known: SharedStay, reported: SharedStay): boolean {
  const isOver = known.status !== undefined && !isLive(known.status) && known.status !== reported.status
  const type = (stay: SharedStay) => stay.units?.[0]?.unitTypeCode
  return !isOver && known.startDate === reported.startDate && type(known) === type(reported)
}

/** Stays by the PMS's name, by the house's, else by their first day and unit type. */
export function tripledStays(all: Record<'base' | 'local' | 'upstream', readonly SharedStay[]>) {
  return tripled(all, (a, b) => a.localId === b.localId, [bySameName, byLocalId, byDay])
}

/** Persons by the PMS's name, by the house's, else by theirs; of one who is here in two roles the one in the same first. */
export function tripledGuests(all: Record<'base' | 'local' | 'upstream', readonly SharedGuest[]>) {
  const inRole =
    (isSame: IsSame<SharedGuest>): IsSame<SharedGuest> =>
    (known, reported, isHere) =>
      known.role === reported.role && isSame(known, reported, isHere)
  const passes = [bySameName, byLocalId, byPersonalName].flatMap((isSame) => [inRole(isSame), isSame])
  return tripled(all, isSameGuest, passes)
}

function byPersonalName(known: SharedGuest, reported: SharedGuest): boolean {
  const name = (guest: SharedGuest) => fullName(guest).normalize('NFC').toLowerCase()
  return name(known) === name(reported)
}
