import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../resource/command.ts'
import { profile } from '../resources/profile.ts'
import { type Reservation, type ReservationInput, reservation } from '../resources/reservation.ts'
import type { ProfileEntry, Stay, StayInput } from '../resources/stay.ts'
import { staysOf } from '../stays/find-stays.ts'
import { refreshReservation } from '../stays/refresh-reservation.ts'
import { matchStays, unitIdsIn, withoutUnitsOf } from '../stays/replace-stays.ts'
import { isLive } from '../stays/rules/status-rules.ts'
import { importPolicy, type StayPolicy, type StayPorts } from '../stays/stay-policy.ts'
import { needs, type StayRights } from '../stays/stay-rights.ts'
import { underPointer } from '../values/value-problems.ts'
import { noteProfiles, writeImported } from './alike-profiles.ts'
import { hasErasedGuest } from './compare-guests.ts'
import { compareStay, type StayChange, withComments } from './compare-stay.ts'
import type { Difference } from './difference.ts'

/** A reservation of an import, which has its stays. */
export type WholeInput = ReservationInput & { stays: StayInput[] }

/** What the caller's scopes allow in an import that changes bookings. */
export interface UpdateRights extends StayRights {
  /** profiles.write: the details of a guest who is stored already. */
  profiles: boolean
}

/** A stay of the import, and the stored one with its changes; null for a stay that is not stored. */
type Pair = { given: StayInput; at: string } & ({ before: Stay; change: StayChange } | { before: null })

/**
 * Compares an import with the stored reservation, and returns the differences. With `rights`, it then changes the reservation by
 * the rules and with the effects of any other change of a stay; overbooking is accepted, as in any import. What the import
 * does not say stays as it is, also a stay that it does not have. Throws the Problem of the first broken rule.
 */
export function importAgain(
  tx: Transaction,
  id: string,
  { attributes, stays }: WholeInput,
  { ports, rights }: { ports: StayPorts; rights: UpdateRights | null },
): Difference[] {
  const old = staysOf(tx, id)
  const plain = plainChanges(tx.find(reservation, id), attributes, {
    isErased: old.some((each) => hasErasedGuest(tx, each)),
  })
  const found = pairsOf(old, stays)
  const staysWith = ({ profile: whole }: ProfileEntry) =>
    found.flatMap(([{ profiles }, before]) =>
      before && profiles?.some((each) => isDeepStrictEqual(each.profile, whole)) ? before.id : [],
    )
  const pairs = found.map(([given, before], index): Pair => {
    const at = `/stays/${index}`
    if (!before) return { given, at, before }
    return { given, at, before, change: underPointer(at, () => compareStay(tx, before, given, staysWith)) }
  })
  const differences = [...plain.differences, ...pairs.flatMap(differencesOf)]
  if (rights === null || differences.length === 0) return differences
  tx.patch(reservation, id, plain.attributes)
  const policy = { ...importPolicy(ports), rights }
  const known = new Map<string, string>()
  for (const pair of pairs) if (pair.before) noteProfiles(pair.given, pair.change.persons, known)
  const kept = pairs.map((pair) => withoutWantedUnits(tx, pair, { pairs, policy }))
  for (const [index, pair] of pairs.entries())
    writePair(tx, id, pair, { kept: kept[index] ?? null, policy, known })
  refreshReservation(tx, id)
  return differences
}

/** The members of a reservation that an import can change. Its other members name it, or follow from its stays. */
const plainMembers = ['channel', 'purpose', 'comment', 'guestComment'] as const

function plainChanges(
  stored: Reservation,
  attributes: WholeInput['attributes'],
  were: { isErased: boolean },
) {
  const { channel, purpose, comment, guestComment } = attributes
  const given = { channel, purpose, ...withComments(stored, { comment, guestComment }, were) }
  const changed = plainMembers.filter(
    (name) => given[name] !== undefined && (given[name] ?? null) !== (stored[name] ?? null),
  )
  return {
    attributes: Object.fromEntries(changed.map((name) => [name, given[name]])),
    differences: changed.map(
      (field): Difference => ({ field, stored: stored[field] ?? null, given: given[field] ?? null }),
    ),
  }
}

/** Pairs the stays as a replacement does. One stay and one stored stay are a pair, whatever has changed. */
function pairsOf(old: readonly Stay[], given: readonly StayInput[]): [StayInput, Stay | null][] {
  if (old.length === 1 && given.length === 1) return [[given[0]!, old[0]!]]
  const matches = matchStays(old, given)
  return given.map((each, index) => [each, matches[index] ?? null])
}

function differencesOf(pair: Pair): Difference[] {
  const path = pair.at.slice(1)
  if (pair.before) return pair.change.differences.map((each) => ({ ...each, field: `${path}/${each.field}` }))
  const { status, startDate, endDate } = pair.given
  return [{ field: path, stored: null, given: `${status} ${startDate} – ${endDate}` }]
}

/** Releases the units of a stay that leaves them to another one of the import. */
function withoutWantedUnits(
  tx: Transaction,
  pair: Pair,
  { pairs, policy }: { pairs: readonly Pair[]; policy: StayPolicy },
): Stay | null {
  if (!pair.before) return null
  const others = pairs.filter((other) => other !== pair).flatMap(({ given }) => unitIdsIn(given))
  return withoutUnitsOf(tx, pair.before, { ...pair.before, ...pair.change.input }, { others, policy })
}

function writePair(
  tx: Transaction,
  reservationId: string,
  pair: Pair,
  {
    kept,
    policy,
    known,
  }: { kept: Stay | null; policy: StayPolicy & { rights: UpdateRights }; known: Map<string, string> },
): void {
  const { given, at, before } = pair
  const write = (row: Stay | null, part: StayInput) =>
    writeImported(
      tx,
      { reservationId, before: row, kept: row === before ? kept : row, input: part, at },
      policy,
      known,
    )
  if (!before) return void write(null, given)
  const { input, details, differences } = pair.change
  if (differences.length === 0) return
  for (const { at: guest, id, attributes } of details) {
    const pointer = `${at}/profiles/${guest}`
    if (!policy.rights.profiles) throw needs('profiles.write', pointer)
    underPointer(pointer, () => tx.patch(profile, id, attributes))
  }
  let stored = before
  for (const part of partsOf(before, input)) stored = write(stored, part)
}

/** A stay that is over takes its new status first: only then its other fields can change. */
function partsOf({ status }: Stay, { status: next, ...fields }: StayInput): StayInput[] {
  const isReinstated = next && !isLive(status) && isLive(next)
  return isReinstated ? [{ status: next }, fields] : [{ ...fields, ...(next && { status: next }) }]
}
