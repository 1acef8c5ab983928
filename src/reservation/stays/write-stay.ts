import { completed } from '../../resource/attributes.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { refuseOverbooking } from '../availability/availability-guard.ts'
import { updateInventory } from '../availability/stay-nights.ts'
import { expectOpenPlan } from '../pricing/open-rate-plan.ts'
import { momentIn } from '../property/moment.ts'
import { unitsFollow } from '../property/unit-effects.ts'
import { type Settings, settingsIn } from '../resources/settings.ts'
import { type Stay, type StayDraft, type StayInput, stay } from '../resources/stay.ts'
import { underPointer } from '../value-problems.ts'
import { allRights, refuseBeyondRights, type StayRights } from './check-in-rights.ts'
import { refuseFrozenChange } from './frozen-stay.ts'
import { type Effect, isLive, type StayStatus } from './status.ts'
import { type AllotmentsFor, completedStay, type DraftPolicy } from './stay-draft.ts'
import { journalStatus, setByStatus } from './stay-effects.ts'
import { factsOf } from './stay-facts.ts'
import { makeProfiles, withKnownPersons } from './stay-profiles.ts'
import { transition } from './transition.ts'

/** Functions of other modules that run when a stay is written, in the same transaction. `api.ts` connects them. */
export interface StayPorts {
  /** Applies an effect of a status to the keys of the stay. */
  keysFollow(tx: Transaction, effect: Effect, row: Stay): void
  /** Returns the names of the units whose keys were made for the stay and may still open them. */
  keyedUnits(tx: Transaction, stayId: string): readonly string[]
  /** Returns whether a key was ever made for the stay. */
  everHadKey(tx: Transaction, stayId: string): boolean
  allotmentsFor: AllotmentsFor
}

/** The origin of a write of a stay, and the rules that do not apply to it. */
export interface StayPolicy extends DraftPolicy {
  ports: StayPorts
  /** What the caller's scopes allow. */
  rights: StayRights
  skips: DraftPolicy['skips'] & {
    /** The refusals by the caller's rights, by the status of the stay, and by a key that was made for a unit. */
    refusals?: boolean
    /** The guards of the status table that protect the front desk from mistakes. */
    deskGuards?: boolean
    /**
     * The status table, for new stays that already have their status elsewhere: all of them, or all except stays in
     * house.
     */
    history?: 'all' | 'notInHouse'
    /** The check that the rate plan is sold for the nights of the stay. */
    ratePlan?: boolean
    /** The check that a unit of each type is left for the nights of the stay. */
    overbooking?: boolean
  }
}

/** For a request through the interface. */
export function deskPolicy(ports: StayPorts, rights: StayRights = allRights): StayPolicy {
  return { ports, rights, skips: { overbooking: rights.overbook }, allotmentsFor: ports.allotmentsFor }
}

/** For the built-in unit assignment, which is allowed even when the stay's fields are frozen. */
export function assignmentPolicy(ports: StayPorts): StayPolicy {
  return { ports, rights: allRights, skips: { refusals: true }, allotmentsFor: ports.allotmentsFor }
}

/** For an import of stays from another system. */
export function importPolicy(ports: StayPorts): StayPolicy {
  const skips = { history: 'all', ratePlan: true, overbooking: true } as const
  return { ports, rights: allRights, skips, allotmentsFor: ports.allotmentsFor }
}

/** For the fields that a PMS reports. They are stored even where the front desk would be refused. */
export const asReported: DraftPolicy = { skips: { occupancy: true }, allotmentsFor: null }

/** For a status that a PMS reports. */
export function reportPolicy(ports: StayPorts): StayPolicy {
  const skips = { refusals: true, deskGuards: true, history: 'notInHouse', ratePlan: true } as const
  return {
    ports,
    rights: allRights,
    skips: { ...asReported.skips, ...skips, overbooking: true },
    allotmentsFor: null,
  }
}

/** One write of a stay: the fields to write and the stay before the write. */
export interface StayWrite {
  reservationId: string
  /** The stay before the command; null for a new one. */
  before: Stay | null
  /** The stay as stored now, if the command has already changed it. */
  kept?: Stay | null
  input: StayInput
  /** If true, fields that the input omits get their default or are cleared. */
  whole?: boolean
}

/**
 * Writes a stay with all effects in this and other modules. The caller must refresh the reservation. Throws the Problem
 * of the first broken rule. Before the row is written, only profiles are written.
 */
export function writeStay(tx: Transaction, write: StayWrite, policy: StayPolicy): Stay {
  const { reservationId, before, kept = before } = write
  const { rights, skips, ports } = policy
  const house = settingsIn(tx)

  // The input, and whether it is allowed.
  const input = inputOf(tx, write, rights)
  const after = { ...before, ...input, reservationId } as StayDraft
  if (before && !skips.refusals) refuseChange(before, input, rights, momentIn(tx).today)

  // The effects of a new status.
  const isHistory = before === null && isOver(after.status, skips.history)
  const effects = isHistory ? [] : effectsOf(tx, before, after, { house, policy })
  const byStatus = setByStatus(tx, effects, { before, after, house })

  // The row.
  const { profiles, ...fields } = input
  const guests = profiles && { profiles: makeProfiles(tx, profiles, { anew: !rights.write }) }
  const row = saveStay(tx, kept, { ...fields, ...guests, ...byStatus, reservationId }, policy)

  // The consequences of the written row.
  if (!skips.ratePlan) expectOpenPlan(tx, before, row)
  unitsFollow(tx, before, row)
  if (!isHistory) journalStatus(tx, before, row)
  for (const effect of effects) ports.keysFollow(tx, effect, row)
  return row
}

/**
 * Writes stays of one reservation, then checks that a unit of each type is left for all of them. `old` are the stays
 * before the write. `at` is the JSON pointer of the stay in the body: `/stays/0`.
 */
export function writeStays(
  tx: Transaction,
  old: readonly Stay[],
  writes: readonly (StayWrite & { at: string })[],
  policy: StayPolicy,
): Stay[] {
  const rows = writes.map((each) => underPointer(each.at, () => writeStay(tx, each, policy)))
  if (!policy.skips.overbooking) {
    const written = rows.map((row, index) => ({ stay: row, at: writes[index]!.at }))
    refuseOverbooking(tx, old, written)
  }
  return rows
}

/**
 * Writes the row of a stay with its computed fields, and updates the inventory nights. It applies no status rules and
 * changes no units and keys. `kept` is the stored stay; null creates a stay from `changes`.
 */
export function saveStay(
  tx: Transaction,
  kept: Stay | null,
  changes: Partial<StayDraft>,
  policy: DraftPolicy,
): Stay {
  const draft = completedStay(tx, kept, { ...kept, ...changes } as StayDraft, policy)
  const row = kept ? tx.patch(stay, kept.id, draft) : tx.insert(stay, draft)
  updateInventory(tx, kept, row)
  return row
}

/** Removes the units from the places of a stay, so that they can be assigned to another stay. */
export function releaseUnits(tx: Transaction, row: Stay, policy: DraftPolicy): Stay {
  return saveStay(tx, row, { units: row.units.map(({ unitTypeId }) => ({ unitTypeId })) }, policy)
}

/** Removes a stay. Throws 409 `resource-referenced` while its guest is in house or another resource refers to it. */
export function removeStay(tx: Transaction, row: Stay): void {
  if (row.status === 'InHouse') {
    throw new Problem('resource-referenced', 'The guest is in house; check out first.', {
      meta: { stayId: row.id },
    })
  }
  updateInventory(tx, row, null)
  tx.remove(stay, row.id)
}

function inputOf(
  tx: Transaction,
  { before, input, whole }: StayWrite,
  rights: StayRights,
): Omit<StayInput, 'id'> {
  const { id: _, ...given } = before && rights.write ? withKnownPersons(tx, input) : input
  return whole ? (completed(stay.fields, given) as StayInput) : given
}

function refuseChange(before: Stay, input: StayInput, rights: StayRights, today: string): void {
  refuseBeyondRights(before, input, rights)
  refuseFrozenChange(before, input, today)
  if (isLive(before.status)) refuseLockedChange(before, input)
}

/** Throws `unit-change-refused` for a unit with a key, because the guest's card opens that unit. */
function refuseLockedChange(before: Stay, { units = before.units }: StayInput): void {
  for (const [index, { unitId, locked }] of before.units.entries()) {
    if (!locked || units.some((each) => each.unitId === unitId)) continue
    throw new Problem(
      'unit-change-refused',
      'A key was made for the unit. Erase its card first, or block the key.',
      { pointer: `/units/${index}/unitId` },
    )
  }
}

function isOver(status: StayStatus, history: StayPolicy['skips']['history']): boolean {
  return history === 'all' || (history === 'notInHouse' && status !== 'InHouse')
}

function effectsOf(
  tx: Transaction,
  before: Stay | null,
  after: StayDraft,
  { house, policy }: { house: Settings; policy: StayPolicy },
): Effect[] {
  const from = before?.status ?? null
  if (from === after.status) return []
  const facts = factsOf(tx, before, after, { house, canReinstate: policy.rights.reinstate })
  return transition(from, after.status, facts, { isReported: policy.skips.deskGuards }).effects
}
