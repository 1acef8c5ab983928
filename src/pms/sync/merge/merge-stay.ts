import { isLive, type StayStatus } from '../../../reservation/stays/rules/status-rules.ts'
import type { FieldGroup } from '../../resources/conflict-policy.ts'
import type { ConflictReason } from '../../resources/sync-conflict.ts'
import type { SharedStay } from '../shared-reservation.ts'
import { stayBundles } from './merge-fields.ts'
import { mergeGuests } from './merge-guests.ts'
import { disagree, mergeBundle, mergeKeyed, pick, type Scene } from './merge-members.ts'
import { identities, same } from './same.ts'
import { withNames } from './shadow-document.ts'

/** What has happened in the house, which no record can undo. */
export interface PhysicalFacts {
  /** Of the property, YYYY-MM-DD. */
  today: string
  /** By the stay's localId: names of its units that a key opens, and of those that were given away by a lease. */
  locked: Readonly<Record<string, readonly string[]>>
  leased: Readonly<Record<string, readonly string[]>>
}

type Members = Record<string, unknown>
type Units = NonNullable<SharedStay['units']>

/** A stay that both have, member by member. */
export function mergeStay(
  scene: Scene,
  facts: PhysicalFacts,
  { base, local, upstream }: { base: SharedStay | null; local: SharedStay; upstream: SharedStay },
): SharedStay {
  const [was, is, reported] = [base, local, upstream] as unknown as [Members | null, Members, Members]
  const parts = stayBundles.map((bundle) => mergeBundle(scene, bundle, was, is, reported))
  const merged: SharedStay = Object.assign({}, local, ...parts)
  merged.externalId = upstream.externalId ?? local.externalId ?? null
  merged.localId = local.localId ?? null
  const dates = datesAfterTheFact(scene, facts, { base, local, merged })
  Object.assign(merged, dates, statusOf(scene, { base, local, upstream }))
  if (upstream.units) merged.units = unitsOf(scene, facts, { base, local, upstream })
  for (const [member, group] of [
    ['reservationIds', 'rates'],
    ['services', 'services'],
  ] as const) {
    if (!upstream[member]) continue
    const list = { group, member, identity: identities[member] as (item: unknown) => string }
    const sides = { base: base?.[member], local: local[member] ?? [], upstream: upstream[member] }
    Object.assign(merged, { [member]: mergeKeyed<unknown>(scene, list, sides) })
  }
  if (upstream.guests) {
    const sides = { base: base?.guests, local: local.guests ?? [], upstream: upstream.guests }
    merged.guests = mergeGuests(scene, sides)
  }
  return merged
}

/** The status in the order in which a stay goes through it, as far as it goes straight on. */
const progress: Partial<Record<StayStatus, number>> = {
  Tentative: 0,
  Waitlisted: 0,
  Confirmed: 1,
  InHouse: 2,
  CheckedOut: 3,
}

interface Sides {
  base: SharedStay | null
  local: SharedStay
  upstream: SharedStay
}

/** Who is in the house, or was, is not undone by a record; of two that went the same way the one that went further counts. */
function statusOf(scene: Scene, { base, local, upstream }: Sides): { status?: StayStatus } {
  const [was, is, reported] = [base?.status, local.status, upstream.status]
  if (reported === undefined || is === undefined) return is === undefined ? {} : { status: is }
  if (is === reported || (was === reported && !scene.isFirst)) return { status: is }
  if (isHere(is) && !isHere(reported)) {
    if (was !== undefined && was !== reported) {
      physical(scene, 'status', 'guest-was-here', { base, local, upstream }, ['status'])
    }
    return { status: is }
  }
  const [here, there] = [progress[is], progress[reported]]
  const haveBoth = was !== undefined && was !== is && was !== reported
  if (haveBoth && here !== undefined && there !== undefined && here !== there) {
    return { status: here > there ? is : reported }
  }
  const merged = mergeBundle(
    scene,
    { group: 'status', members: ['status'] },
    base as unknown as Members | null,
    local as unknown as Members,
    upstream as unknown as Members,
  )
  return merged as { status: StayStatus }
}

function isHere(status: StayStatus | undefined): boolean {
  return status === 'InHouse' || status === 'CheckedOut'
}

/** The arrival of a guest who is here was when it was, he cannot have left before today, and one who has left has left. */
function datesAfterTheFact(
  scene: Scene,
  facts: PhysicalFacts,
  { base, local, merged }: { base: SharedStay | null; local: SharedStay; merged: SharedStay },
): Partial<SharedStay> {
  if (!isHere(local.status)) return {}
  const kept: (keyof SharedStay)[] = ['startDate', 'startTime']
  const hasLeft = local.status === 'CheckedOut'
  const isOver = merged.endDate < facts.today || merged.endDate <= local.startDate
  if (hasLeft || isOver) kept.push('endDate', 'endTime')
  const differing = kept.filter((name) => !same(merged[name], local[name]))
  if (differing.length === 0) return {}
  const reason = !hasLeft && differing.includes('endDate') ? 'day-is-over' : 'guest-was-here'
  physical(scene, 'dates', reason, { base, local, upstream: merged }, differing)
  return pick(local as unknown as Members, kept)
}

/**
 * The unit a key opens, a lease has given away, or a guest is in or was in, is his. Otherwise place by place where both know the same
 * places, so that a unit given here and a comment on the places there do not meet.
 */
function unitsOf(scene: Scene, facts: PhysicalFacts, { base, local, upstream }: Sides): Units {
  const [was, is] = [withNames(base?.units, local.units), local.units ?? []]
  const reported = withNames(upstream.units, was ?? is) ?? []
  const merged = mergedPlaces(scene, { base, local, upstream }, { was, is, reported })
  const lost = is.filter(({ unitName }) => unitName && !merged.some((each) => each.unitName === unitName))
  if (lost.length === 0) return merged
  const names = lost.map(({ unitName }) => unitName!)
  const reason = heldBy(facts, local, names, merged)
  if (!reason) return merged
  supersede(scene, 'units')
  if (was && !same(was, reported)) {
    disagree(scene, {
      group: 'units',
      said: { [`${scene.at}/units`]: { base: was, local: is, upstream: reported } },
      counts: 'Local',
      reason,
    })
  }
  return [...is]
}

function mergedPlaces(
  scene: Scene,
  sides: Sides,
  { was, is, reported }: { was: Units | undefined; is: Units; reported: Units },
): Units {
  if (!scene.isFirst && !scene.isChanged('units')) return was && same(was, reported) ? is : reported
  const types = (units: Units) => units.map(({ unitTypeCode }) => unitTypeCode).join('\n')
  if (was && types(was) === types(is) && types(is) === types(reported)) {
    const places = is.map((place, index) => {
      const [before, there] = [was[index]!, reported[index]!]
      if (same(place, there) || same(before, there)) return place
      return same(before, place) ? there : null
    })
    if (places.every((place) => place !== null)) return places
  }
  const bundle = { group: 'units' as const, members: ['units'] }
  const base = sides.base && { units: was }
  return (mergeBundle(scene, bundle, base, { units: is }, { units: reported }) as { units: Units }).units
}

/** Why the units that a stay would lose cannot be taken from it; null when they can. */
function heldBy(
  facts: PhysicalFacts,
  { localId, status }: SharedStay,
  lost: readonly string[],
  merged: Units,
): ConflictReason | null {
  if (status === 'CheckedOut') return 'guest-was-here'
  if (status === undefined || !isLive(status)) return null
  const id = localId ?? ''
  if (lost.some((name) => facts.locked[id]?.includes(name))) return 'key-is-out'
  if (lost.some((name) => facts.leased[id]?.includes(name))) return 'leased'
  const isWithout = merged.some(({ unitName }) => !unitName)
  return status === 'InHouse' && isWithout ? 'guest-was-here' : null
}

function physical(
  scene: Scene,
  group: FieldGroup,
  reason: ConflictReason,
  { base, local, upstream }: Sides,
  members: readonly (keyof SharedStay)[],
): void {
  const said = Object.fromEntries(
    members.map((name) => [
      `${scene.at}/${name}`,
      { base: base?.[name] ?? null, local: local[name] ?? null, upstream: upstream[name] ?? null },
    ]),
  )
  supersede(scene, group)
  disagree(scene, { group, said, counts: 'Local', reason })
}

/** What the policy has decided of the same is not what counts. */
function supersede({ found, stayId }: Scene, group: FieldGroup): void {
  const at = found.findIndex(
    (each) => each.stayId === stayId && each.group === group && each.reason === 'both-changed',
  )
  if (at >= 0) found.splice(at, 1)
}
