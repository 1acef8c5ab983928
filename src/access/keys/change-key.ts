import { isDeepStrictEqual } from 'node:util'
import type { OnlineKey } from '../../devices/lock-system.ts'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { hasOtherOwner } from '../pins/pin-in-use.ts'
import { type Key, key } from '../resources/key.ts'
import type { RequestedValues } from '../resources/key-door.ts'
import { closedBy, reopened } from '../resources/key-door.ts'
import { type Confirmation, guardDoors, noteConfirmation, noUnits, type OpenedUnits } from './door-guard.ts'
import { changeRequest } from './key-places.ts'
import { endOlder, isOpen } from './key-status.ts'
import { numbersGained } from './lock-number.ts'

type KeyRow = Attributes<typeof key.fields>

/** The change that is wanted of a key. */
export interface WantedChange {
  keyId: string
  values: RequestedValues
  /** See `KeyOrder`. */
  confirmed: Confirmation | null
  /** The lock system knows an original and its copies by one number, and changes them together. */
  wholeFamily: boolean
}

/** The fields that a refused change restores; the window is in Unix milliseconds. */
type Left = Required<
  Pick<
    Key,
    'status' | 'proof' | 'provenDeadAt' | 'validFrom' | 'validUntil' | 'changeAsked' | 'changeAskedAt'
  >
>

/** A key of a change: its fields before the change, and its fields while the outcome is unknown. */
interface Begun {
  keyId: string
  was: Left
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
  const row = tx.find(key, keyId) as Key
  if (row.status !== 'live' && row.status !== 'expired') throw notLive(row)
  const asked = { ...row, ...values, countsItself: false, confirmed }
  noteConfirmation(tx, keyId, confirmed, guardDoors(tx, asked, openedNow(row, tx.now)))
  if (hasOtherOwner(tx, row.pinMark, row, values)) return null
  return [row, ...changedWith(tx, row, wanted)].map((each) => {
    const was = leftOf(each)
    const alive = each.id === keyId ? ({ status: 'live', proof: null, provenDeadAt: null } as const) : {}
    const wide = { ...was, ...alive, ...widened(was, values), ...requestedChange(each, values, tx.now) }
    const doorRows = each.id === keyId ? reopened(each.doorRows ?? []) : each.doorRows
    tx.patch(key, each.id, { ...wide, doorRows } as Partial<KeyRow>)
    return { keyId: each.id, was, wide }
  })
})

/**
 * Restores the fields of the keys after the lock system has refused a change. An earlier unfinished change is restored,
 * too.
 */
export const refuseChange = command('change-key/refused', (tx, { begun }: { begun: Begun[] }) => {
  for (const { keyId, was, wide } of begun) {
    const row = tx.find(key, keyId) as Key
    if (!isDeepStrictEqual(leftOf(row), wide)) continue
    const doors = row.doorRows ?? []
    const doorRows = was.proof
      ? closedBy(doors, was.proof, { locks: null, at: was.provenDeadAt ?? tx.now })
      : doors
    tx.patch(key, keyId, { ...was, doorRows } as Partial<KeyRow>)
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
    const before = tx.find(key, keyId) as Key
    const gained = numbersGained(tx, before, values)
    tx.patch(key, keyId, made as Partial<KeyRow>)
    for (const id of [keyId, ...also]) {
      const row = tx.find(key, id) as Key
      const lockSequence = gained.get(values.lock ?? '') ?? row.lockSequence
      const doorRows = row.doorRows?.map((door) => ({
        ...door,
        number: gained.get(door.lock ?? '') ?? door.number,
      }))
      const changes = { ...values, lockSequence, doorRows, changeAsked: null, changeAskedAt: null }
      const { revision } = tx.patch(key, id, changes as Partial<KeyRow>)
      tx.journal('key.changed', `access/keys/${id}`, { revision, changed: Object.keys(values) })
    }
    if (gained.size > 0) endOlder(tx, tx.find(key, keyId) as Key)
    return tx.document(key, keyId)
  },
)

/** Stores the text that is printed on the card. The lock system is not involved. */
export const labelKey = command(
  'change-key/labelled',
  (tx, { keyId, printText }: { keyId: string; printText: string }): Document => {
    const { revision } = tx.patch(key, keyId, { printText } as Partial<KeyRow>)
    tx.journal('key.changed', `access/keys/${keyId}`, { revision, changed: ['printText'] })
    return tx.document(key, keyId)
  },
)

/** The other keys of the family that may still open, which change with the key. Lost keys are included. */
function changedWith(tx: Transaction, row: Key, { wholeFamily }: WantedChange): Key[] {
  if (!wholeFamily || !row.familyId) return []
  const family = tx.select(key, [{ path: 'familyId', operator: 'eq', value: row.familyId }]) as Key[]
  return family.filter(({ id, status, proof }) => id !== row.id && isOpen(status) && !proof)
}

function widened(was: Left, { validFrom, validUntil }: RequestedValues) {
  return {
    validFrom: Math.min(was.validFrom ?? validFrom, validFrom),
    validUntil: Math.max(was.validUntil ?? validUntil, validUntil),
  }
}

function requestedChange(row: Key, values: RequestedValues, now: number) {
  const changeAsked = changeRequest(row, values)
  if (!changeAsked) throw unfinished()
  return { changeAsked, changeAskedAt: now }
}

function leftOf(row: Key): Left {
  return {
    status: row.status,
    proof: row.proof ?? null,
    provenDeadAt: row.provenDeadAt ?? null,
    validFrom: row.validFrom ?? null,
    validUntil: row.validUntil ?? null,
    changeAsked: row.changeAsked ?? null,
    changeAskedAt: row.changeAskedAt ?? null,
  } as Left
}

/** The units that the key opens before the change. A key may have been made for later. */
function openedNow({ status, validFrom, unitName, extraUnits }: Key, now: number): OpenedUnits {
  if (status !== 'live' || (validFrom ?? 0) > now || !unitName) return noUnits
  return { main: [unitName], all: [unitName, ...(extraUnits ?? [])] }
}

function notLive({ status }: Key): Problem {
  return new Problem('key-status-transition', `The key is now ${status}.`, { meta: { status } })
}

function unfinished(): Problem {
  return new Problem(
    'key-status-transition',
    'Too many changes of the key are unfinished: it is not known which of them the lock system has made. The lock system is asked again automatically. Try later.',
    { meta: { status: 'live', retryAfterSeconds: 60 } },
  )
}
