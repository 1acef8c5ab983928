import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { ConflictPolicy } from '../../resources/conflict-policy.ts'
import type { Intents } from '../outbound/intents.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import { tripledStays } from './match.ts'
import { reservationBundles } from './merge-fields.ts'
import { type Disagreement, disagree, mergeBundle, type Scene } from './merge-members.ts'
import { mergeStay, type PhysicalFacts } from './merge-stay.ts'
import { differences } from './same.ts'

interface MergeInput {
  /** What the PMS was known to have; null before the first time. */
  base: SharedReservation | null
  /** As the house has it: each stay and guest with its localId. */
  local: SharedReservation
  /** As the PMS reports it; null when it is gone there. */
  upstream: SharedReservation | null
  policy: ConflictPolicy
  facts: PhysicalFacts
  /** What was changed here since the shadow. */
  intents: Intents
}

export interface Merged {
  /** What the house is to have. What only the PMS has reported is without a localId. */
  result: SharedReservation
  /** The house's stays that the PMS has no more, and that are to end. They are not in the result. */
  ended: string[]
  conflicts: Disagreement[]
}

type Members = Record<string, unknown>

/**
 * What a reservation is after both sides have gone on by themselves. What one side has changed is taken from it; what both
 * have changed to the same is no conflict; else the word of the group's owner counts, and the conflict is listed. What has
 * happened in the house outranks every word.
 */
export function merge({ base, local, upstream, policy, facts, intents }: MergeInput): Merged {
  const found: Disagreement[] = []
  const reported = upstream ?? { externalId: local.externalId, stays: [] }
  const isChanged = (name: string) => intents.has(null, name)
  const scene: Scene = { stayId: null, at: '', policy, found, isFirst: base === null, isChanged }
  const parts = reservationBundles.map((bundle) =>
    mergeBundle(
      scene,
      bundle,
      base as Members | null,
      local as unknown as Members,
      reported as unknown as Members,
    ),
  )
  const ended: string[] = []
  const stays = tripledStays({ base: base?.stays ?? [], local: local.stays, upstream: reported.stays })
  const merged = stays.flatMap(({ base: was, local: is, upstream: there }): SharedStay[] => {
    const id = is?.localId ?? was?.localId ?? null
    const here: Scene = {
      ...scene,
      stayId: id,
      at: `/stays/${id}`,
      isChanged: (name) => intents.has(id, name),
    }
    if (is && there) return [mergeStay(here, facts, { base: was, local: is, upstream: there })]
    if (is) return goneThere(here, was, is, { ended, hasChanged: intents.hasAny(id) })
    if (was && there) return goneHere(here, was, there)
    return there ? [anew(there)] : []
  })
  const result: SharedReservation = Object.assign({}, local, ...parts, {
    externalId: reported.externalId ?? local.externalId,
    stays: merged,
  })
  return { result, ended, conflicts: found }
}

/** A stay that the PMS had and has no more ends here; one that it never had is ours. Nobody is put out by a record. */
function goneThere(
  scene: Scene,
  was: SharedStay | null,
  is: SharedStay,
  { ended, hasChanged }: { ended: string[]; hasChanged: boolean },
): SharedStay[] {
  if (!was) return [is]
  const here = is.status === 'InHouse'
  if (here || (hasChanged && is.status !== undefined && isLive(is.status))) {
    const counts = here ? 'Local' : scene.policy.dates
    disagree(scene, {
      group: 'dates',
      said: { [scene.at]: { base: was, local: is, upstream: null } },
      counts,
      reason: here ? 'guest-was-here' : 'both-changed',
    })
    if (counts === 'Local') return [is]
  }
  ended.push(is.localId ?? '')
  return []
}

/** A stay that was deleted here stays so, unless the PMS has changed it since and its word counts. */
function goneHere(scene: Scene, was: SharedStay, there: SharedStay): SharedStay[] {
  if (!differencesOf(there, was)) return []
  const counts = scene.policy.dates
  disagree(scene, {
    group: 'dates',
    said: { [scene.at]: { base: was, local: null, upstream: there } },
    counts,
    reason: 'both-changed',
  })
  return counts === 'Pms' ? [anew(there)] : []
}

/** The house has to give it, and those on it, names of its own. */
function anew(there: SharedStay): SharedStay {
  const { guests } = there
  return {
    ...there,
    localId: null,
    ...(guests && { guests: guests.map((each) => ({ ...each, localId: each.localId ?? null })) }),
  }
}

/** Of the members of the first. */
function differencesOf(reported: SharedStay, has: SharedStay): boolean {
  const of = (stay: SharedStay) => ({ externalId: null, stays: [{ ...stay, localId: 'one' }] })
  return differences(of(reported), of(has)).length > 0
}
