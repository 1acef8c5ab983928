import type { Transaction } from '../../../resource/command.ts'
import { type Filter, having } from '../../../resource/query.ts'
import { endCard } from '../../cards/card-commands.ts'
import { type AccessProvider, accessProvider } from '../../resources/access-provider.ts'
import { type CardRun, cardRun, wasVerified } from '../../resources/card-run.ts'
import { doorsOf } from '../../resources/door.ts'
import { type Key, key } from '../../resources/key.ts'
import { unitToCheck } from '../../resources/unit-to-check.ts'
import { completeDoors } from '../doors/complete-doors.ts'
import { numberFloor } from '../doors/lock-number.ts'
import { takeKnownKeys } from '../known-keys.ts'
import { happen } from '../life/key-life.ts'

/** An instant before the first use of any appliance. */
const since = Date.UTC(2026, 0, 1)
/**
 * The numbers that each restore skips, for keys that the restored data does not contain. A number has 32 bits, which is
 * enough for about 4000 restores.
 */
const gap = 1 << 20
/**
 * The assumed highest rate of new numbers: one per lock in 10 s, and one credential per second in the property, for
 * years.
 */
const perNumberMs = { lock: 10_000, credential: 1_000 }
const most = 10_000

/** The keys that segments beside a backup contain: every change up to `until`, Unix milliseconds. */
export interface KnownKeys {
  until: number
  keys: Key[]
  /** The property that was replaced had changed keys after `until`. */
  areMissing?: boolean
}

/** The longest time between the last segment and the restore for which the segments count as complete. */
const completeForMs = 24 * 3_600_000

/** The units for which unknown keys may exist after a restore. */
interface UnitsToCheck {
  count: number
  /** When the first of those keys may have been made, Unix milliseconds; null without such units. */
  keysFrom: number | null
}

/**
 * Prepares the keys of restored data, which lacks the keys made since its backup was taken, at `takenAt` in Unix
 * milliseconds; those in `known` are written into it. No number of such a key is used again. A key that may have been made
 * meanwhile becomes unknown. Each unit that may have a key which is not known is marked as one to be checked: without segments
 * every unit with a lock, for a person without a reservation may have got a key for any of them. With segments up to the
 * end, those whose key was just being made. A unit that was to be checked when the backup was taken still is: no segment knows
 * the keys that an earlier restore has lost.
 */
export function keysAfterRestore(tx: Transaction, takenAt: number, known: KnownKeys | null): UnitsToCheck {
  completeDoors.run(tx, null)
  const floor = raiseNumbers(tx, takenAt)
  for (const run of tx.select(cardRun, [{ path: 'step', operator: 'ne', value: 'ended' }])) endRun(tx, run)
  const beingMade = takeKnownKeys(tx, known?.keys ?? [])
  for (const row of heldThatWereDue(tx)) happen(tx, row, 'restored', { changes: { isVirtual: false } })
  const isComplete = known !== null && !known.areMissing && tx.now - known.until < completeForMs
  const units = isComplete
    ? unitsOfKeys(beingMade)
    : tx.select(accessProvider, []).flatMap((provider) => unitsOf(tx, provider))
  const from = Math.min(known?.until ?? takenAt, tx.now)
  for (const unit of units) markToCheck(tx, unit, { from, floor })
  const all = tx.select(unitToCheck, [], [], most)
  const keysFrom = all.length > 0 ? Math.min(...all.map((each) => each.keysFrom)) : null
  return { count: all.length, keysFrom }
}

/** Marks a unit as one to be checked. One that was marked before keeps the earlier start. */
function markToCheck(
  tx: Transaction,
  unit: LockedUnit,
  { from, floor }: { from: number; floor: number },
): void {
  const { providerId, lock } = unit
  const [marked] = tx.select(unitToCheck, having({ providerId, lock }), [], 1)
  const keysFrom = Math.min(marked?.keysFrom ?? from, from)
  const period = { keysFrom, keysUntil: tx.now, numberFloor: floor }
  if (marked) tx.patch(unitToCheck, marked.id, { ...unit, ...period })
  else tx.insert(unitToCheck, { ...unit, ...period })
}

/**
 * Raises the counters beyond their values in the backup, and beyond what can have been counted by the clock since 2026.
 * So a backup that is restored twice does not yield the same numbers twice. Returns the floor of the lock numbers.
 */
function raiseNumbers(tx: Transaction, takenAt: number): number {
  const elapsedMs = Math.max(tx.now, takenAt) - since
  const credential = tx.add('credential', 0)
  tx.add('credential', Math.max(0, Math.floor(elapsedMs / perNumberMs.credential) - credential) + gap)
  const before = tx.add(numberFloor, 0)
  const counted = [...tx.counters('lock:', 'lock;').values(), before]
  const floor = Math.max(...counted, Math.floor(elapsedMs / perNumberMs.lock)) + gap
  return tx.add(numberFloor, floor - before)
}

/** Ends an issuance that was open when the backup was taken. Whatever its step, a guest may have the card since. */
function endRun(tx: Transaction, run: CardRun): void {
  const end = { runId: run.id, reason: 'restored', restore: false } as const
  if (!wasVerified(run)) endCard.run(tx, { ...end, ending: 'unknown', event: 'no-answer' })
  else if (run.step === 'recalled') endCard.run(tx, { ...end, ending: 'captured', event: 'captured' })
  else endCard.run(tx, { ...end, ending: run.dispenserId ? 'taken' : 'handed', event: null })
}

/** Virtual keys whose window has opened: the lock system may have received them since the backup. */
function heldThatWereDue(tx: Transaction): Key[] {
  const opened: Filter = { path: 'opensAt', operator: 'lte', value: tx.now }
  return tx.select(key, [...having({ status: 'virtual' }), opened]).filter(({ lock }) => lock)
}

/** The locks of keys, each once. */
function unitsOfKeys(keys: readonly Key[]): LockedUnit[] {
  const locked = keys.flatMap(({ providerId, unitName, lock }) =>
    unitName && lock ? [{ providerId, unitName, lock }] : [],
  )
  return [...new Map(locked.map((each) => [`${each.providerId} ${each.lock}`, each])).values()]
}

interface LockedUnit {
  providerId: string
  unitName: string
  lock: string
}

/** Every lock for which a key can be made, and every lock for which a key is stored. */
function unitsOf(tx: Transaction, { id: providerId }: AccessProvider): LockedUnit[] {
  const doors = doorsOf(tx, providerId).map(({ name, lock }) => ({ providerId, unitName: name, lock }))
  const keys = tx.select(key, having({ providerId }), [{ path: 'id', descending: true }], most)
  return [...new Map([...unitsOfKeys(keys), ...doors.reverse()].map((each) => [each.lock, each])).values()]
}
