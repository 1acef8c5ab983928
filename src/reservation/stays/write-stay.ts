import { completed } from '../../resource/attributes.ts'
import { command, type Transaction } from '../../resource/command.ts'
import { expectRevision, type Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import { refuseOverbooking } from '../availability/availability-guard.ts'
import { updateInventory } from '../availability/inventory-nights.ts'
import { expectOpenPlan } from '../pricing/open-rate-plan.ts'
import { momentIn } from '../property/moment.ts'
import { unitsFollow } from '../property/unit-effects.ts'
import { refreshReservation } from '../reservations/refresh-reservation.ts'
import { reservation } from '../resources/reservation.ts'
import { type Settings, settingsIn } from '../resources/settings.ts'
import { type Stay, type StayDraft, type StayInput, stay } from '../resources/stay.ts'
import { underPointer } from '../value-problems.ts'
import { stayOf, staysOf } from './find-stays.ts'
import { refuseFrozenChange } from './frozen-stay.ts'
import { type Effect, isLive, type StayStatus } from './status-rules.ts'
import { completedStay, type DraftPolicy } from './stay-draft.ts'
import { journalStatus, setByStatus } from './stay-effects.ts'
import { factsOf } from './stay-facts.ts'
import { deskPolicy, type StayPolicy, type StayPorts } from './stay-policy.ts'
import { makeProfiles, withKnownPersons } from './stay-profiles.ts'
import { refuseBeyondRights, type StayRights } from './stay-rights.ts'
import { transition } from './transition.ts'

interface OneStay {
  reservationId: string
  stayId: string
  /** The revision of the stay that the caller read. */
  revision?: number | undefined
}

/** The commands that write single stays. */
export function stayCommands(ports: StayPorts) {
  const addStay = command(
    'add-stay',
    (
      tx,
      input: {
        reservationId: string
        stay: StayInput
        rights: StayRights
        /** The revision of the reservation that the caller read. */
        revision?: number | undefined
      },
    ) => {
      const { reservationId, revision, rights } = input
      expectRevision(tx, reservation, { type: 'reservation', id: reservationId, revision })
      const { id } = tx.find(reservation, reservationId)
      const added = { reservationId: id, before: null, input: input.stay, at: '' }
      const [row] = writeStays(tx, [], [added], deskPolicy(ports, rights))
      refreshReservation(tx, id)
      return tx.document(stay, row!.id)
    },
  )

  const updateStay = command(
    'update-stay',
    (
      tx,
      input: OneStay & {
        /** A whole stay if `whole` is true, otherwise some of its fields. */
        stay: StayInput
        whole: boolean
        rights: StayRights
      },
    ): Written => {
      const before = stayOf(tx, input)
      expectRevision(tx, stay, { type: 'stay', id: before.id, revision: input.revision })
      const { id, reservationId } = before
      const updated = { reservationId, before, input: input.stay, whole: input.whole, at: '' }
      writeStays(tx, [before], [updated], deskPolicy(ports, input.rights))
      refreshReservation(tx, reservationId)
      return { id, revision: tx.find(stay, id).revision }
    },
  )

  const deleteStay = command('remove-stay', (tx, input: OneStay) => {
    const row = stayOf(tx, input)
    expectRevision(tx, stay, { type: 'stay', id: row.id, revision: input.revision })
    if (staysOf(tx, row.reservationId).length < 2)
      throw new Problem(
        'last-stay',
        'A reservation needs at least one stay. Cancel the stay instead of deleting it.',
      )
    removeStay(tx, row)
    refreshReservation(tx, row.reservationId)
    return null
  })

  return { addStay, updateStay, deleteStay, all: [addStay, updateStay, deleteStay] }
}

export type StayCommands = ReturnType<typeof stayCommands>

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
    throw new Problem('resource-referenced', 'The guest is in house. Check out first.', {
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
