import { isDeepStrictEqual } from 'node:util'
import type { OnlineKey } from '../../devices/lock-system.ts'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import { having } from '../../resource/query.ts'
import { type Key, key } from '../resources/key.ts'
import {
  closedAsBefore,
  type KeyDoor,
  placesOf,
  type RequestedValues,
  reopened,
} from '../resources/key-door.ts'
import { guardDoors, noteConfirmation, noUnits, type OpenedUnits } from './doors/door-guard.ts'
import { numbersGained } from './doors/lock-number.ts'
import { hasOtherOwner } from './doors/pin-in-use.ts'
import { endOlder } from './doors/superseding.ts'
import { isOpen, wrongStatus } from './life/key-life.ts'
import type { KeyOrder } from './orders/key-order.ts'

/** The change that is wanted of a key. */
export interface WantedChange extends Pick<KeyOrder, 'confirmed'> {
  keyId: string
  values: RequestedValues
  /** The lock system knows an original and its copies by one number, and changes them together. */
  wholeFamily: boolean
}

/** The fields that a refused change restores; the window is in Unix milliseconds. */
type Left = Required<
  Pick<
    Key,
    | 'status'
    | 'proof'
    | 'provenDeadAt'
    | 'validFrom'
    | 'validUntil'
    | 'endsAtLock'
    | 'changeAsked'
    | 'changeAskedAt'
  >
>

/** A key of a change: its fields before the change, and its fields while the outcome is unknown. */
interface Begun {
  keyId: string
  was: Left
  doors: KeyDoor[]
  wide: Left
}

/**
 * Stores a change before it is sent to the lock system. It stays on the key until the lock system confirms or refuses
 * it. Until then the key counts as open in both windows, even if the earlier one is over. Returns null when another key
 * has the same PIN in the new window. Throws key-status-transition when the key is neither live nor expired. Throws
 * unit-occupied as the guard of the doors does.
 */
export const beginChange = command('change-key/asked', (tx, wanted: WantedChange): Begun[] | null => {
  const { keyId, values, confirmed } = wanted
  const row = tx.find(key, keyId)
  if (row.status !== 'live' && row.status !== 'expired') throw wrongStatus(row)
  const asked = { ...row, ...values, countsItself: false, confirmed }
  noteConfirmation(tx, keyId, confirmed, guardDoors(tx, asked, openedNow(row, tx.now)))
  if (hasOtherOwner(tx, row.pinMark, row, values)) return null
  return [row, ...changedWith(tx, row, wanted)].map((each) => {
    const was = leftOf(each)
    const alive = each.id === keyId ? ({ status: 'live', proof: null, provenDeadAt: null } as const) : {}
    const wide = { ...was, ...alive, ...widened(was, values), ...requestedChange(each, values, tx.now) }
    const doors = each.doorRows ?? []
    const doorRows = each.id === keyId ? reopened(doors) : doors
    tx.patch(key, each.id, { ...wide, doorRows })
    return { keyId: each.id, was, doors, wide }
  })
})

/**
 * Restores the fields of the keys after the lock system has refused a change. An earlier unfinished change is restored,
 * too.
 */
export const refuseChange = command('change-key/refused', (tx, { begun }: { begun: Begun[] }) => {
  for (const { keyId, was, doors, wide } of begun) {
    const row = tx.find(key, keyId)
    if (isDeepStrictEqual(leftOf(row), wide))
      tx.patch(key, keyId, { ...was, doorRows: closedAsBefore(row.doorRows ?? [], doors) })
  }
  return null
})

/**
 * Stores a change that the lock system has confirmed, in the key and in the keys of `also`. A card that was moved to
 * another unit supersedes the cards there, as a new one would.
 */
export const changedKey = command(
  'change-key/confirmed',
  (tx, input: { keyId: string; also: string[]; values: RequestedValues; made: OnlineKey }): Document => {
    const { keyId, also, values, made } = input
    const gained = numbersGained(tx, tx.find(key, keyId), values)
    tx.patch(key, keyId, made)
    for (const id of [keyId, ...also]) {
      const doorRows = (tx.find(key, id).doorRows ?? []).map((door) => ({
        ...door,
        number: gained.get(door.lock ?? '') ?? door.number ?? null,
      }))
      const changes = { ...values, doorRows, changeAsked: null, changeAskedAt: null }
      const { revision } = tx.patch(key, id, changes)
      tx.journal('key.changed', `access/keys/${id}`, { revision, changed: Object.keys(values) })
    }
    if (gained.size > 0) endOlder(tx, tx.find(key, keyId))
    return tx.document(key, keyId)
  },
)

/** Stores the text that is printed on the card. The lock system is not involved. */
export const labelKey = command(
  'change-key/labelled',
  (tx, { keyId, printText }: { keyId: string; printText: string }): Document => {
    const { revision } = tx.patch(key, keyId, { printText })
    tx.journal('key.changed', `access/keys/${keyId}`, { revision, changed: ['printText'] })
    return tx.document(key, keyId)
  },
)

/** The other keys of the family that may still open, which change with the key. Lost keys are included. */
function changedWith(tx: Transaction, { id, familyId }: Key, { wholeFamily }: WantedChange): Key[] {
  if (!wholeFamily || !familyId) return []
  const family = tx.select(key, having({ familyId }))
  return family.filter((each) => each.id !== id && isOpen(each.status) && !each.proof)
}

function widened(was: Left, { validFrom, validUntil, endsAtLock }: RequestedValues) {
  return {
    validFrom: Math.min(was.validFrom ?? validFrom, validFrom),
    validUntil: Math.max(was.validUntil ?? validUntil, validUntil),
    // Without one of the two, which an earlier release did not store, the later end is not known either.
    endsAtLock: was.endsAtLock && endsAtLock ? Math.max(was.endsAtLock, endsAtLock) : null,
  }
}

/** The highest number of states in which a key may be while the outcomes of its changes are unknown. */
const mostPlaces = 8

function requestedChange(row: Key, to: RequestedValues, now: number) {
  const maybe = placesOf(row)
  if (maybe.length > mostPlaces)
    throw wrongStatus(
      row,
      'Too many changes of the key are unfinished: it is not known which of them the lock system has made. The lock system is asked again automatically. Try later.',
      { retryAfterSeconds: 60 },
    )
  return { changeAsked: { to, maybe }, changeAskedAt: now }
}

function leftOf(row: Key): Left {
  return {
    status: row.status ?? null,
    proof: row.proof ?? null,
    provenDeadAt: row.provenDeadAt ?? null,
    validFrom: row.validFrom ?? null,
    validUntil: row.validUntil ?? null,
    endsAtLock: row.endsAtLock ?? null,
    changeAsked: row.changeAsked ?? null,
    changeAskedAt: row.changeAskedAt ?? null,
  }
}

/** The units that a live key may open although it should not, because the outcome of a move is unknown. */
export function doubtfulUnits(row: Key): string[] {
  const wanted = row.changeAsked?.to.unitName
  const names = row.changeAsked ? placesOf(row).flatMap(({ unitName }) => unitName ?? []) : []
  return [...new Set(names)].filter((name) => name !== wanted)
}

/** The units that the key opens before the change. A key may have been made for later. */
function openedNow({ status, validFrom, unitName, extraUnits }: Key, now: number): OpenedUnits {
  if (status !== 'live' || (validFrom ?? 0) > now || !unitName) return noUnits
  return { main: [unitName], all: [unitName, ...(extraUnits ?? [])] }
}
