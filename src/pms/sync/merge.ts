import { isLive } from '../../reservation/stays/status-rules.ts'
import type { ConflictPolicy } from '../resources/conflict-policy.ts'
import { knownOf } from './known.ts'
import { tripledStays } from './match.ts'
import { reservationBundles } from './merge-fields.ts'
import { type Disagreement, disagree, mergeBundle, type Scene } from './merge-members.ts'
import { mergeStay, type PhysicalFacts } from './merge-stay.ts'
import { differences } from './same.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'

interface MergeInput {
  /** What the PMS was known to have; null before the first time. */
  base: SharedReservation | null
  /** As the house has it: each stay and guest with its localId. */
  local: SharedReservation
  /** As the PMS tells it; null when it is gone there. */
  upstream: SharedReservation | null
  policy: ConflictPolicy
  facts: PhysicalFacts
}

export interface Merged {
  /** What the house is to have. What only the PMS has told is without a localId. */
  result: SharedReservation
  /** What the PMS is known to have now: the base of the next merge, once its stays and guests have their localIds. */
  known: SharedReservation
  /** The house's stays that the PMS has no more, and that are to end. They are not in the result. */
  ended: string[]
  conflicts: Disagreement[]
  /** The result holds what the PMS does not have. */
  keepsLocal: boolean
}

type Told = Record<string, unknown>

/**
 * What a reservation is after both sides have gone on by themselves. What one side has changed is taken from it; what both
 * have changed to the same is no conflict; else the word of the group's owner counts, and the conflict is told. What has
 * happened in the house outranks every word.
 */
export function merge({ base, local, upstream, policy, facts }: MergeInput): Merged {
  const found: Disagreement[] = []
  const told = upstream ?? { externalId: local.externalId, stays: [] }
  const scene: Scene = { stayId: null, at: '', policy, found }
  const parts = reservationBundles.map((bundle) =>
    mergeBundle(scene, bundle, base as Told | null, local as unknown as Told, told as unknown as Told),
  )
  const ended: string[] = []
  const stays = tripledStays({ base: base?.stays ?? [], local: local.stays, upstream: told.stays })
  const merged = stays.flatMap(({ base: was, local: is, upstream: there }): SharedStay[] => {
    const id = is?.localId ?? was?.localId ?? null
    const here: Scene = { ...scene, stayId: id, at: `/stays/${id}` }
    if (is && there) return [mergeStay(here, facts, { base: was, local: is, upstream: there })]
    if (is) return goneThere(here, was, is, ended)
    if (was && there) return goneHere(here, was, there)
    return there ? [anew(there)] : []
  })
  const result: SharedReservation = Object.assign({}, local, ...parts, {
    externalId: told.externalId ?? local.externalId,
    stays: merged,
  })
  const known = knownOf(base, told, stays)
  return { result, known, ended, conflicts: found, keepsLocal: differences(known, result).length > 0 }
}

/** A stay that the PMS had and has no more ends here; one that it never had is ours. Nobody is put out by a record. */
function goneThere(scene: Scene, was: SharedStay | null, is: SharedStay, ended: string[]): SharedStay[] {
  if (!was) return [is]
  const hasChanged = differencesOf(was, is)
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

/** Of what the first tells. */
function differencesOf(told: SharedStay, has: SharedStay): boolean {
  const of = (stay: SharedStay) => ({ externalId: null, stays: [{ ...stay, localId: 'one' }] })
  return differences(of(told), of(has)).length > 0
}
