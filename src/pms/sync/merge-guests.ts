import { tripledGuests } from './match.ts'
import { guestBundles } from './merge-fields.ts'
import { disagree, mergeBundle, type Scene } from './merge-members.ts'
import { same } from './same.ts'
import type { SharedGuest } from './shared-reservation.ts'

type Told = Record<string, unknown>
type Guests = readonly SharedGuest[]

/** Who is on a stay: whom either side adds is there, whom either takes away is not, and of each person what either changed. */
export function mergeGuests(
  scene: Scene,
  { base, local, upstream }: { base: Guests | undefined; local: Guests; upstream: Guests },
): SharedGuest[] {
  // Where the PMS had told nobody before, its word or the house's is all there is.
  const before = base ?? (scene.policy.guests === 'Pms' ? local : [])
  const triples = tripledGuests({ base: before, local, upstream })
  return triples.flatMap((triple): SharedGuest[] => {
    const { base: was, local: is, upstream: told } = triple
    if (is && told) return [mergeGuest(scene, base ? was : null, is, told)]
    if (!is && !told) return []
    const one = is ?? told!
    if (!was) return base || is || scene.policy.guests === 'Pms' ? [one] : []
    if (isAsBefore(was, one)) return []
    const at = `${scene.at}/guests/${was.localId}`
    const said = { [at]: { base: was, local: is, upstream: told } }
    const counts = scene.policy.guests
    disagree(scene, { group: 'guests', said, counts, reason: 'both-changed' })
    const counting = counts === 'Pms' ? told : is
    return counting ? [counting] : []
  })
}

function mergeGuest(scene: Scene, was: SharedGuest | null, is: SharedGuest, told: SharedGuest): SharedGuest {
  const here = { ...scene, at: `${scene.at}/guests/${is.localId}` }
  const parts = guestBundles.map((bundle) =>
    mergeBundle(here, bundle, was as Told | null, is as unknown as Told, told as unknown as Told),
  )
  const externalId = told.externalId ?? is.externalId ?? null
  return Object.assign({}, is, ...parts, { externalId, localId: is.localId })
}

/** Of what is said of both. */
function isAsBefore(was: SharedGuest, one: SharedGuest): boolean {
  return Object.entries(one).every(([name, value]) =>
    name.endsWith('Id') || value === undefined || (was as unknown as Told)[name] === undefined
      ? true
      : same(value, (was as unknown as Told)[name]),
  )
}
