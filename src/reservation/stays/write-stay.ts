import { completed } from '../../resource/attributes.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { refuseOverbooking } from '../availability/availability-guard.ts'
import { momentIn } from '../availability/availability-moment.ts'
import { countNights } from '../availability/held-nights.ts'
import { expectOpenPlan } from '../pricing/open-rate-plan.ts'
import { unitsFollow } from '../property/unit-effects.ts'
import { type Settings, settingsIn } from '../resources/settings.ts'
import { type Stay, type StayDraft, type StayInput, stay } from '../resources/stay.ts'
import { underPointer } from '../under-pointer.ts'
import { allRights, refuseBeyondRights, type StayRights } from './check-in-rights.ts'
import { refuseFrozenChange } from './frozen-stay.ts'
import { type Effect, isLive, type StayStatus, transition } from './status.ts'
import { completedStay, type DraftPolicy, type LeasesFor } from './stay-draft.ts'
import { journalStatus, setByStatus } from './stay-effects.ts'
import { factsOf } from './stay-facts.ts'
import { makeProfiles, withKnownPersons } from './stay-profiles.ts'

/** What other modules do when a stay is written, in the same transaction. `api.ts` connects them. */
export interface StayPorts {
  /** The keys of a stay follow its status. */
  keysFollow(tx: Transaction, effect: Effect, row: Stay): void
  /** The names of the units whose keys were made for a stay and may still open them. */
  keyedUnits(tx: Transaction, stayId: string): readonly string[]
  /** Whether a key was ever made for a stay. */
  everHadKey(tx: Transaction, stayId: string): boolean
  leasesFor: LeasesFor
}

/** Who writes a stay, and which rules do not bind him. */
export interface StayPolicy extends DraftPolicy {
  ports: StayPorts
  /** What the caller's scopes let him do. */
  rights: StayRights
  skips: DraftPolicy['skips'] & {
    /** What his rights, the status of the stay and a card that is out forbid to change. */
    refusals?: boolean
    /** The guards of the status table that keep the desk from a mistake. */
    deskGuards?: boolean
    /** The status table, for a new stay: for any, or for one whose guest is not in house. It has its status already. */
    history?: 'all' | 'notInHouse'
    /** The rate plan need not be open for the stay's nights. */
    ratePlan?: boolean
    /** No unit of its type need be left for the stay's nights. */
    overbooking?: boolean
  }
}

/** Somebody asks for it through the interface. */
export function deskPolicy(ports: StayPorts, rights: StayRights = allRights): StayPolicy {
  return { ports, rights, skips: { overbooking: rights.overbook }, leasesFor: ports.leasesFor }
}

/** The house gives units to a stay, whatever cannot be changed of it any more. */
export function assignmentPolicy(ports: StayPorts): StayPolicy {
  return { ports, rights: allRights, skips: { refusals: true }, leasesFor: ports.leasesFor }
}

/** Another system has kept the stay until now. */
export function importPolicy(ports: StayPorts): StayPolicy {
  const skips = { history: 'all', ratePlan: true, overbooking: true } as const
  return { ports, rights: allRights, skips, leasesFor: ports.leasesFor }
}

/** A PMS reports how a stay is: its fields are kept even where the desk would be kept from a mistake. */
export const asReported: DraftPolicy = { skips: { occupancy: true }, leasesFor: null }

/** The same for what has happened to a stay. */
export function reportPolicy(ports: StayPorts): StayPolicy {
  const skips = { refusals: true, deskGuards: true, history: 'notInHouse', ratePlan: true } as const
  return {
    ports,
    rights: allRights,
    skips: { ...asReported.skips, ...skips, overbooking: true },
    leasesFor: null,
  }
}

export interface StayWrite {
  reservationId: string
  /** The stay as it was before the command; null for a new one. */
  before: Stay | null
  /** The stay as it is kept now, where the command has changed it already. */
  kept?: Stay | null
  input: StayInput
  /** What the input does not say gets its default, or is cleared. */
  whole?: boolean
}

/**
 * Writes a stay, with everything that follows from it here and in other modules. The summary of the reservation is the
 * caller's. Throws the Problem of the first rule that is broken; until the row is written, nothing but profiles is.
 */
export function writeStay(tx: Transaction, write: StayWrite, policy: StayPolicy): Stay {
  const { reservationId, before, kept = before } = write
  const { rights, skips, ports } = policy
  const house = settingsIn(tx)

  // What is asked for, and whether it may be.
  const input = inputOf(tx, write, rights)
  const after = { ...before, ...input, reservationId } as StayDraft
  if (before && !skips.refusals) refuseChange(before, input, rights, momentIn(tx).today)

  // What a new status brings about.
  const isHistory = before === null && isOver(after.status, skips.history)
  const effects = isHistory ? [] : effectsOf(tx, before, after, { house, policy })
  const byStatus = setByStatus(tx, effects, { before, after, house })

  // The row.
  const { profiles, ...fields } = input
  const guests = profiles && { profiles: makeProfiles(tx, profiles, { anew: !rights.write }) }
  const row = saveStay(tx, kept, { ...fields, ...guests, ...byStatus, reservationId }, policy)

  // What follows from it.
  if (!skips.ratePlan) expectOpenPlan(tx, before, row)
  unitsFollow(tx, before, row)
  if (!isHistory) journalStatus(tx, before, row)
  for (const effect of effects) ports.keysFollow(tx, effect, row)
  return row
}

/**
 * Writes stays of one reservation; when all are written, a unit of each type has to be left for them. `old` are its stays
 * until then. `at` is where a body says a stay: `/stays/0`.
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
 * Writes the row of a stay with what follows from its own fields, and counts its nights: no rule of a status, no unit and
 * no key. `kept` is the stay as it is kept now; null makes a new one of `changes`.
 */
export function saveStay(
  tx: Transaction,
  kept: Stay | null,
  changes: Partial<StayDraft>,
  policy: DraftPolicy,
): Stay {
  const draft = completedStay(tx, kept, { ...kept, ...changes } as StayDraft, policy)
  const row = kept ? tx.patch(stay, kept.id, draft) : tx.insert(stay, draft)
  countNights(tx, kept, row)
  return row
}

/** A stay keeps its places and lets go of its units, so that somebody else can be given them. */
export function releaseUnits(tx: Transaction, row: Stay, policy: DraftPolicy): Stay {
  return saveStay(tx, row, { units: row.units.map(({ unitTypeId }) => ({ unitTypeId })) }, policy)
}

/** Takes a stay away. Throws 409 `resource-referenced` while its guest is in house, or something refers to it. */
export function removeStay(tx: Transaction, row: Stay): void {
  if (row.status === 'InHouse') {
    throw new Problem('resource-referenced', 'The guest is in house; check out first.', {
      meta: { stayId: row.id },
    })
  }
  countNights(tx, row, null)
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

/** The card in the guest's hand opens the unit it was made for. */
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
