import { completed } from '../../resource/attributes.ts'
import type { Transaction } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { refuseOverbooking } from '../availability/availability-guard.ts'
import { updateInventory } from '../availability/inventory-nights.ts'
import { hasNightPrices, noteFollowing, priceOnDates } from '../pricing/price-follows-dates.ts'
import { profileOfPerson } from '../profiles/person.ts'
import { momentIn, settingsIn } from '../resources/house.ts'
import { profile } from '../resources/profile.ts'
import { ratePlan } from '../resources/rate-plan.ts'
import { type ProfileEntry, type Stay, type StayDraft, type StayInput, stay } from '../resources/stay.ts'
import { unitsFollow } from '../units/unit-effects.ts'
import type { ProfileRole } from '../values/profile-role.ts'
import { referenced, underPointer } from '../values/value-problems.ts'
import { refuseFrozenChange } from './frozen-stay.ts'
import { expectMayLeave } from './leave-at-kiosk.ts'
import { isLive, type StayStatus, transition } from './rules/status-rules.ts'
import { nightDates } from './rules/stay-dates.ts'
import { completedStay, type DraftPolicy } from './stay-draft.ts'
import { datesOfPrice, setByEffect } from './stay-effects.ts'
import { FactsOfStay } from './stay-facts.ts'
import type { StayPolicy } from './stay-policy.ts'
import { refuseBeyondRights } from './stay-rights.ts'

/** One write of a stay: the fields to write and the stay before the write. */
interface StayWrite {
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
  const row = writeWithoutLock(tx, write, policy)
  refuseLockedUnits(write, policy)
  return row
}

/** Writes a stay as `writeStay` does, but for the refusal of a unit with a key, which the caller checks last. */
function writeWithoutLock(tx: Transaction, write: StayWrite, policy: StayPolicy): Stay {
  const { reservationId, before, kept = before } = write
  const { rights, skips, ports } = policy
  const house = settingsIn(tx)

  // The input, and whether it is allowed.
  const { id: _, ...given } = before && rights.write ? withKnownPersons(tx, write.input) : write.input
  // Other systems write whole stays, and only the front desk charges a fee.
  const { feeCharged = null } = before ?? {}
  const input: StayInput = write.whole ? completed(stay.fields, { feeCharged, ...given }) : given
  const after = { ...before, ...input, reservationId } as StayDraft
  if (before && !skips.refusals) refuseChange(tx, before, input, policy)

  // The effects of a new status. A stay that is imported with its history has none.
  const from = before?.status ?? null
  const isHistory =
    before === null &&
    (skips.history === 'all' || (skips.history === 'notInHouse' && after.status !== 'InHouse'))
  const takesStatus = after.status !== from && !isHistory
  const facts = new FactsOfStay(tx, before, after, rights)
  const reported = { isReported: skips.deskGuards }
  const effects = takesStatus ? transition(from, after.status, facts, reported).effects : []
  // A guest hears what is to be paid before a machine takes the card.
  if (before && !skips.refusals) expectMayLeave(tx, before, input, rights, ports)
  const byStatus: Partial<StayDraft> = {}
  for (const effect of effects) Object.assign(byStatus, setByEffect[effect]?.(tx, { before, after, house }))

  // The row.
  const { profiles, ...fields } = input
  const guests = profiles && { profiles: guestsOf(tx, profiles, { anew: !rights.write }) }
  const amount = amountOf(tx, before, input, { ...after, ...byStatus })
  const row = saveStay(tx, kept, { ...fields, ...guests, amount, ...byStatus, reservationId }, policy)

  // The consequences of the written row.
  if (!skips.ratePlan && row.ratePlanId && row.ratePlanId !== before?.ratePlanId) expectOpenPlan(tx, row)
  if (before || row.units.some(({ unitId }) => unitId)) unitsFollow(tx, before, row)
  if (takesStatus) journalStatus(tx, before, row)
  ports.keysFollow(tx, before, row)
  return row
}

/**
 * Returns the price with which a stay is written. A stay that gets other dates without a stated price has the price of
 * its new dates. A stay that is over keeps its price: its end says when the guest left, and not what was booked.
 */
function amountOf(tx: Transaction, before: Stay | null, input: StayInput, after: StayDraft) {
  const { amount = null } = after
  if (!before) return amount
  const isKept = !amount || input.amount !== undefined || !isLive(after.status)
  const hasBookedDates = before.status !== 'CheckedOut' || hasNightPrices(amount)
  const isMoved = before.startDate !== after.startDate || before.endDate !== after.endDate
  const isFollowing = !isKept && isMoved && hasBookedDates
  noteFollowing(tx, before.id, isFollowing)
  return isFollowing ? priceOnDates(amount, datesOfPrice(tx, before, settingsIn(tx)), after) : amount
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
  const rows: Stay[] = []
  for (const write of writes) rows.push(underPointer(write.at, () => writeWithoutLock(tx, write, policy)))
  if (!policy.skips.overbooking) refuseOverbooking(tx, old, rows, writes)
  for (const write of writes) underPointer(write.at, () => refuseLockedUnits(write, policy))
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
    throw new Problem('resource-referenced', 'The guest is in house. Check out first.', {
      meta: { stayId: row.id },
    })
  }
  updateInventory(tx, row, null)
  tx.remove(stay, row.id)
}

function refuseChange(tx: Transaction, before: Stay, input: StayInput, { rights }: StayPolicy): void {
  refuseBeyondRights(before, input, rights)
  refuseFrozenChange(before, input, momentIn(tx).today)
}

/**
 * Throws `unit-change-refused` for a unit with a key, because the guest's card opens that unit. It is the last refusal: a desk that
 * gets it from a dry run knows that nothing else is in the way, before it ends the keys.
 */
function refuseLockedUnits({ before, input }: StayWrite, { skips }: StayPolicy): void {
  if (!before || skips.refusals || !isLive(before.status)) return
  const { units = before.units } = input
  for (const [index, { unitId, locked }] of before.units.entries()) {
    if (!locked || units.some((each) => each.unitId === unitId)) continue
    throw new Problem(
      'unit-change-refused',
      'A key was made for the unit. Erase its card first, or block the key.',
      { pointer: `/units/${index}/unitId` },
    )
  }
}

const events: Partial<Record<StayStatus, string>> = {
  InHouse: 'stay.checked-in',
  CheckedOut: 'stay.checked-out',
  Canceled: 'stay.canceled',
  NoShow: 'stay.no-show',
}

/** The events of steps back, by the status before and the one after. */
const stepsBack: Record<string, string> = {
  'InHouse Confirmed': 'stay.check-in-reverted',
  'CheckedOut InHouse': 'stay.check-out-reverted',
  'Canceled Confirmed': 'stay.reinstated',
  'NoShow Confirmed': 'stay.reinstated',
}

/** Journals the event of a status that is new. */
function journalStatus(tx: Transaction, before: Stay | null, { id, status, revision }: Stay): void {
  const event = stepsBack[`${before?.status} ${status}`] ?? events[status]
  const ended = status === 'CheckedOut' && before ? { plannedEndsAt: before.plannedEndsAt } : {}
  if (event) tx.journal(event, `stays/${id}`, { revision, ...ended })
}

/**
 * Replaces each whole profile of a person who already has a profile by the id of that profile, which is left unchanged.
 */
function withKnownPersons(tx: Transaction, input: StayInput): StayInput {
  if (!input.profiles) return input
  return { ...input, profiles: input.profiles.map((entry) => knownPerson(tx, entry)) }
}

function knownPerson(tx: Transaction, entry: ProfileEntry): ProfileEntry {
  const known = entry.profile && profileOfPerson(tx, entry.profile)
  return known ? { id: known.id, ...(entry.role !== undefined && { role: entry.role }) } : entry
}

/**
 * Creates the whole profiles of the input, and returns the profiles of the stay by id. With `anew`, a person who
 * already has a profile gets a second one. A caller without the right to put an existing profile on a stay needs this
 * to check the guest in.
 */
function guestsOf(
  tx: Transaction,
  entries: readonly ProfileEntry[],
  { anew }: { anew: boolean },
): NonNullable<StayDraft['profiles']> {
  const guests: NonNullable<StayDraft['profiles']> = []
  for (const [index, entry] of entries.entries()) {
    const { id, role, profile: whole = {} } = anew || !entry.profile ? entry : knownPerson(tx, entry)
    const attributes = whole as Attributes<typeof profile.fields>
    const known = id ?? underPointer(`/profiles/${index}`, () => tx.insert(profile, attributes).id)
    guests.push({ id: known, role: (role ?? 'PrimaryGuest') as ProfileRole })
  }
  return guests
}

/**
 * Throws 422 `validation-failed` when a stay changes to a rate plan that is not active, or that is not sold for one of
 * its nights. A stay that keeps its plan is not checked, even when the plan or the dates of the stay have changed.
 */
function expectOpenPlan(tx: Transaction, row: Stay): void {
  const { active, startDate, endDate } = referenced(tx, ratePlan, row.ratePlanId!, '/ratePlanId')
  if (active === false) throw invalidValue('/ratePlanId', 'The rate plan is not active.', { active })
  const lastDay = nightDates(row).at(-1) ?? row.startDate
  if (startDate <= row.startDate && lastDay <= endDate) return
  const detail = `The rate plan is sold for nights from ${startDate} to ${endDate}.`
  throw invalidValue('/ratePlanId', detail, { startDate, endDate })
}
