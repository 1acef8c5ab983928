import type { ConflictPolicy, FieldGroup, Owner } from '../resources/conflict-policy.ts'
import type { ConflictReason } from '../resources/sync-conflict.ts'
import type { Bundle } from './merge-fields.ts'
import { keyed, same } from './same.ts'

/** What was said of one place, by its pointer: `/stays/<localId>/startDate`. */
export type Said = Record<string, { base: unknown; local: unknown; upstream: unknown }>

/** The house and the PMS said differently; one of them counts. */
export interface Disagreement {
  /** Null for the reservation as a whole. */
  stayId: string | null
  group: FieldGroup
  said: Said
  counts: Owner
  reason: ConflictReason
}

/** What a merge is about: where it is, whose word counts, and where disagreements are gathered. */
export interface Scene {
  stayId: string | null
  /** A pointer, without a slash at its end. */
  at: string
  policy: ConflictPolicy
  found: Disagreement[]
}

type Told = Record<string, unknown>

/** Puts what was found beside what is said of the same group for the same reason. */
export function disagree(
  { stayId, found }: Pick<Scene, 'stayId' | 'found'>,
  { group, said, counts, reason }: Omit<Disagreement, 'stayId'>,
): void {
  const known = found.find(
    (each) =>
      each.stayId === stayId && each.group === group && each.counts === counts && each.reason === reason,
  )
  if (known) Object.assign(known.said, said)
  else found.push({ stayId, group, said, counts, reason })
}

/**
 * The members of a bundle, taken from the side that has changed them; from whoever's word counts where both have.
 */
export function mergeBundle(
  scene: Scene,
  { group, members }: Bundle,
  base: Told | null,
  local: Told,
  upstream: Told,
): Told {
  const owner = scene.policy[group]
  const told = members.filter((name) => upstream[name] !== undefined)
  const before = (name: string) => beforeBoth(base, name, owner === 'Pms' ? local : upstream)
  const isHere = told.some((name) => !same(local[name], before(name)))
  const isThere = told.some((name) => !same(upstream[name], before(name)))
  const taken = { ...pick(local, members), ...pick(upstream, told) }
  if (!isHere) return taken
  const differing = told.filter((name) => !same(local[name], upstream[name]))
  if (!isThere || differing.length === 0) return pick(local, members)
  const said = Object.fromEntries(
    differing.map((name) => [
      `${scene.at}/${name}`,
      { base: before(name) ?? null, local: local[name] ?? null, upstream: upstream[name] ?? null },
    ]),
  )
  disagree(scene, { group, said, counts: owner, reason: 'both-changed' })
  return owner === 'Pms' ? taken : pick(local, members)
}

/**
 * Of what the PMS had never told yet both were without it. Where nothing at all was told before, it is as if only the side
 * whose word counts had changed it: to meet is no disagreement.
 */
function beforeBoth(base: Told | null, name: string, otherwise: Told): unknown {
  if (base === null) return otherwise[name]
  return base[name] ?? null
}

export function pick(from: Told, names: readonly string[]): Told {
  const picked: Told = {}
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name]
  return picked
}

/** A list whose items are known apart: what either side adds, changes or takes away is done, item by item. */
export function mergeKeyed<Item>(
  scene: Scene,
  { group, member, identity }: { group: FieldGroup; member: string; identity: (item: Item) => string },
  {
    base,
    local,
    upstream,
  }: { base: readonly Item[] | undefined; local: readonly Item[]; upstream: readonly Item[] },
): Item[] {
  const owner = scene.policy[group]
  const known = keyed(base ?? (owner === 'Pms' ? local : upstream), identity)
  const [here, there] = [keyed(local, identity), keyed(upstream, identity)]
  const merged: Item[] = []
  for (const key of new Set([...here.keys(), ...there.keys()])) {
    const [was, is, told] = [known.get(key), here.get(key), there.get(key)]
    const item = same(is, told) || same(was, told) ? is : same(was, is) ? told : undefined
    if (item !== undefined) merged.push(item)
    if (same(is, told) || same(was, told) || same(was, is)) continue
    const said = {
      [`${scene.at}/${member}/${key}`]: { base: was ?? null, local: is ?? null, upstream: told ?? null },
    }
    disagree(scene, { group, said, counts: owner, reason: 'both-changed' })
    const counting = owner === 'Pms' ? told : is
    if (counting !== undefined) merged.push(counting)
  }
  return merged
}
