import type { ConflictPolicy, FieldGroup, Owner } from '../../resources/conflict-policy.ts'
import type { ConflictReason } from '../../resources/sync-conflict.ts'
import type { Bundle } from './merge-fields.ts'
import { keyed, same, sameMember } from './same.ts'

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
  /** The reservation that has the same unit, when a unit is double-booked. */
  other?: string
}

/** What a merge is about: where it is, whose word counts, and where disagreements are gathered. */
export interface Scene {
  stayId: string | null
  /** A pointer, without a slash at its end. */
  at: string
  policy: ConflictPolicy
  found: Disagreement[]
  /** Both sides meet for the first time: there is no shadow. */
  isFirst: boolean
  /** Whether a member was changed here and is not known to be at the PMS. */
  isChanged(member: string): boolean
}

type Members = Record<string, unknown>

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
 * The members of a bundle, taken from the side that has changed them; from the side that counts where both have.
 */
export function mergeBundle(
  scene: Scene,
  { group, members }: Bundle,
  base: Members | null,
  local: Members,
  upstream: Members,
): Members {
  const owner = scene.policy[group]
  const reported = members.filter((name) => upstream[name] !== undefined)
  const before = (name: string) => beforeBoth(base, name, owner === 'Pms' ? local : upstream)
  const isHere = reported.some((name) =>
    scene.isFirst ? !sameMember(name, local[name], before(name)) : scene.isChanged(name),
  )
  const isThere = reported.some((name) => !sameMember(name, upstream[name], before(name)))
  const taken = { ...pick(local, members), ...pick(upstream, reported) }
  // What the PMS repeats was applied when it reported it first, as far as that was possible.
  if (!isHere) return isThere || base === null ? taken : pick(local, members)
  const differing = reported.filter((name) => !sameMember(name, local[name], upstream[name]))
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
 * A member that the PMS had never reported was empty on both sides. Where nothing at all was reported before, it is as if only the side
 * whose word counts had changed it: to meet is no disagreement.
 */
function beforeBoth(base: Members | null, name: string, otherwise: Members): unknown {
  if (base === null) return otherwise[name]
  return base[name] ?? null
}

/** Returns the members with these names, without those that are undefined. */
export function pick(from: Members, names: readonly string[]): Members {
  const picked: Members = {}
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
  if (!scene.isFirst && !scene.isChanged(member))
    return [...(sameMember(member, base, upstream) ? local : upstream)]
  const known = keyed(base ?? (owner === 'Pms' ? local : upstream), identity)
  const [here, there] = [keyed(local, identity), keyed(upstream, identity)]
  const merged: Item[] = []
  for (const key of new Set([...here.keys(), ...there.keys()])) {
    const [was, is, reported] = [known.get(key), here.get(key), there.get(key)]
    const item = same(is, reported) || same(was, reported) ? is : same(was, is) ? reported : undefined
    if (item !== undefined) merged.push(item)
    if (same(is, reported) || same(was, reported) || same(was, is)) continue
    const said = {
      [`${scene.at}/${member}/${key}`]: { base: was ?? null, local: is ?? null, upstream: reported ?? null },
    }
    disagree(scene, { group, said, counts: owner, reason: 'both-changed' })
    const counting = owner === 'Pms' ? reported : is
    if (counting !== undefined) merged.push(counting)
  }
  return merged
}
