import { completed } from '../resource/attributes.ts'
import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { momentIn } from './availability-moment.ts'
import { refuseBeyondRights, type StayRights } from './check-in-rights.ts'
import { refuseFrozenChange } from './frozen-stay.ts'
import { expectOpenPlan } from './open-rate-plan.ts'
import { settingsIn } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { isLive, transition } from './status.ts'
import type { Follower } from './stay-changes.ts'
import { derivedBy, tellStatus } from './stay-effects.ts'
import { factsOf } from './stay-facts.ts'
import { stayForm } from './stay-form.ts'
import { type ProfileEntry, settleProfiles, withKnownPersons } from './stay-profiles.ts'
import { settleUnits } from './unit-effects.ts'

/** A stay as a body says it: a profile entry is an id with a role, or a profile to be made. */
export type StayInput = Record<string, unknown> & {
  profiles?: ProfileEntry[] | null
}

type StayRow = Attributes<typeof stay.fields>

/** Makes a stay of a reservation by the rules for new ones. Refreshing the reservation is the caller's. */
export function insertStay(tx: Transaction, reservationId: string, input: StayInput): Stay {
  const given = { ...input, reservationId } as unknown as Stay
  const house = settingsIn(tx)
  const { effects } = transition(null, given.status, factsOf(tx, null, given, { house, canReinstate: false }))
  const derived = derivedBy(tx, effects, { before: null, after: given, house })
  const row = tx.insert(stay, { ...settleProfiles(tx, input), ...derived, reservationId } as StayRow)
  expectOpenPlan(tx, null, row)
  settleUnits(tx, null, row)
  tellStatus(tx, null, row)
  return row
}

/**
 * Sets a whole stay or some of its fields by the status rules, with what follows from a new status here and, by the
 * followers, elsewhere. Refreshing the reservation is the caller's.
 */
export function applyToStay(
  tx: Transaction,
  before: Stay,
  input: StayInput,
  how: { whole: boolean; rights: StayRights; followers: readonly Follower[] },
): Stay {
  const { id: _, ...attributes } = how.rights.write ? withKnownPersons(tx, input) : input
  const given = (how.whole ? completed(stay.fields, attributes) : attributes) as StayInput
  const after = { ...before, ...given } as Stay
  const house = settingsIn(tx)
  refuseChange(before, after, how.rights, momentIn(tx).today)
  const facts = factsOf(tx, before, after, { house, canReinstate: how.rights.reinstate })
  const { effects } = transition(before.status, after.status, facts)
  const derived = derivedBy(tx, effects, { before, after, house })
  const settled = settleProfiles(tx, given, { anew: !how.rights.write })
  const row = tx.patch(stay, before.id, { ...settled, ...derived } as Partial<StayRow>)
  expectOpenPlan(tx, before, row)
  settleUnits(tx, before, row)
  tellStatus(tx, before, row)
  for (const effect of effects) for (const follow of how.followers) follow(tx, effect, row)
  return row
}

function refuseChange(before: Stay, after: Stay, rights: StayRights, today: string): void {
  const [was, becomes] = [stayForm(before), stayForm(after)]
  refuseBeyondRights(was, becomes, (after.profiles ?? []) as ProfileEntry[], rights)
  refuseFrozenChange(was, becomes, today)
  refuseLockedChange(before, after)
}

/** The card in the guest's hand opens the unit it was made for. */
function refuseLockedChange(before: Stay, after: Stay): void {
  if (!isLive(before.status)) return
  for (const [index, { unitId, ...was }] of before.units.entries()) {
    const isLocked = (was as { locked?: boolean }).locked === true
    if (!isLocked || after.units.some((each) => each.unitId === unitId)) continue
    throw new Problem(
      'unit-change-refused',
      'A key was made for the unit. Erase its card first, or block the key.',
      {
        pointer: `/units/${index}/unitId`,
      },
    )
  }
}
