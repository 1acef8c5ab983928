import { isLive } from '../../reservation/stays/status-rules.ts'
import { isSameGuest } from './same.ts'
import type { SharedGuest, SharedStay } from './shared-reservation.ts'

/** One thing as it was, as the house has it, and as the PMS tells it; null where it is not. */
export interface Triple<Thing> {
  base: Thing | null
  local: Thing | null
  upstream: Thing | null
}

/** Whether something known is what is told; asked one after the other, each of everything, so that the surest goes first. */
type IsSame<Thing> = (known: Thing, told: Thing, isHere: boolean) => boolean

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
    for (const told of left) {
      const found = [...triples, ...goneHere].find(
        (triple) => !triple.upstream && isSameAs(triple, told, isSame),
      )
      if (!found) continue
      found.upstream = told
      left.delete(told)
    }
  }
  const onlyThere = [...left].map((each): Triple<Thing> => ({ base: null, local: null, upstream: each }))
  return [...triples, ...onlyThere, ...goneHere]
}

function isSameAs<Thing extends Named>(
  { base, local }: Triple<Thing>,
  told: Thing,
  isSame: IsSame<Thing>,
): boolean {
  const names = [base?.externalId, local?.externalId].filter((name) => name)
  if (told.externalId && names.length > 0 && !names.includes(told.externalId)) return false
  return (
    (base !== null && isSame(base, told, local !== null)) || (local !== null && isSame(local, told, true))
  )
}

function bySameName<Thing extends Named>(known: Thing, told: Thing): boolean {
  return Boolean(told.externalId) && known.externalId === told.externalId
}

function byLocalId<Thing extends Named>(known: Thing, told: Thing): boolean {
  return Boolean(told.localId) && known.localId === told.localId
}

/** What is over is not taken for a new stay of the same day. */
function byDay(known: SharedStay, told: SharedStay): boolean {
  const isOver = known.status !== undefined && !isLive(known.status) && known.status !== told.status
  const type = (stay: SharedStay) => stay.units?.[0]?.unitTypeCode
  return !isOver && known.startDate === told.startDate && type(known) === type(told)
}

/** Stays by the PMS's name, by the house's, else by their first day and unit type. */
export function tripledStays(all: Record<'base' | 'local' | 'upstream', readonly SharedStay[]>) {
  return tripled(all, (a, b) => a.localId === b.localId, [bySameName, byLocalId, byDay])
}

/** Persons by the PMS's name, by the house's, else by theirs; of one who is here in two roles the one in the same first. */
export function tripledGuests(all: Record<'base' | 'local' | 'upstream', readonly SharedGuest[]>) {
  const inRole =
    (isSame: IsSame<SharedGuest>): IsSame<SharedGuest> =>
    (known, told, isHere) =>
      known.role === told.role && isSame(known, told, isHere)
  const passes = [bySameName, byLocalId, byPersonalName].flatMap((isSame) => [inRole(isSame), isSame])
  return tripled(all, isSameGuest, passes)
}

function byPersonalName(known: SharedGuest, told: SharedGuest): boolean {
  const name = ({ firstName, lastName }: SharedGuest) =>
    `${firstName} ${lastName}`.normalize('NFC').toLowerCase()
  return name(known) === name(told)
}
