import type { SharedGuest } from '../shared-reservation.ts'
import { tripledGuests } from './match.ts'
import { guestBundles } from './merge-fields.ts'
import { disagree, mergeBundle, type Scene } from './merge-members.ts'
import { sameMember } from './same.ts'

type Members = Record<string, unknown>
type Guests = readonly SharedGuest[]

/** Who is on a stay: whom either side adds is there, whom either takes away is not, and of each person what either changed. */
export function mergeGuests(
  scene: Scene,
  { base, local, upstream }: { base: Guests | undefined; local: Guests; upstream: Guests },
): SharedGuest[] {
  // Where the PMS had reported no guests before, the owner of the group decides.
  const before = base ?? (scene.policy.guests === 'Pms' ? local : [])
  const triples = tripledGuests({ base: before, local, upstream })
  return triples.flatMap((triple): SharedGuest[] => {
    const { base: was, local: is, upstream: reported } = triple
    if (is && reported) return [mergeGuest(scene, base ? was : null, is, reported)]
    if (!is && !reported) return []
    const one = is ?? reported!
    if (!was) return base || is || scene.policy.guests === 'Pms' ? [one] : []
    if (is ? !isTouched(scene, is) : isAsBefore(was, one)) return []
    const at = `${scene.at}/guests/${was.localId}`
    const said = { [at]: { base: was, local: is, upstream: reported } }
    const counts = scene.policy.guests
    disagree(scene, { group: 'guests', said, counts, reason: 'both-changed' })
    const counting = counts === 'Pms' ? reported : is
    return counting ? [counting] : []
  })
}

function mergeGuest(
  scene: Scene,
  was: SharedGuest | null,
  is: SharedGuest,
  reported: SharedGuest,
): SharedGuest {
  const here = {
    ...scene,
    at: `${scene.at}/guests/${is.localId}`,
    isChanged: (name: string) =>
      scene.isChanged(`guests/${is.localId}/${name}`) || (name === 'role' && scene.isChanged('guests')),
  }
  const parts = guestBundles.map((bundle) =>
    mergeBundle(
      here,
      bundle,
      was as Members | null,
      is as unknown as Members,
      reported as unknown as Members,
    ),
  )
  const externalId = reported.externalId ?? is.externalId ?? null
  return Object.assign({}, is, ...parts, { externalId, localId: is.localId })
}

function isTouched({ isChanged }: Scene, { localId }: SharedGuest): boolean {
  return (
    isChanged('guests') ||
    guestBundles.some(({ members }) => members.some((name) => isChanged(`guests/${localId}/${name}`)))
  )
}

/** Of what is said of both. */
function isAsBefore(was: SharedGuest, one: SharedGuest): boolean {
  return Object.entries(one).every(([name, value]) =>
    name.endsWith('Id') || value === undefined || (was as unknown as Members)[name] === undefined
      ? true
      : sameMember(name, value, (was as unknown as Members)[name]),
  )
}
