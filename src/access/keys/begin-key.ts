import { randomUUID } from 'node:crypto'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import type { Attributes } from '../../resource/resource.ts'
import { cardRun } from '../resources/card-run.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { type KeyDoor, numberAt } from '../resources/key-door.ts'
import {
  guardDoors,
  mainDoorOf,
  noteConfirmation,
  noUnits,
  onlyGuestBehind,
  type WantedKey,
} from './doors/door-guard.ts'
import { isInForce } from './doors/in-force.ts'
import { numberedDoors } from './doors/lock-number.ts'
import { keysAtDoor, rivalsOf, supersedesOthers } from './doors/lock-order.ts'
import { freePin, hasOtherOwner, keptPin } from './doors/pin-in-use.ts'
import { supersede, supersedeAtDoors } from './doors/superseding.ts'
import { isNewestKnown } from './doors/unknown-keys.ts'
import { expectOwnKey } from './kiosk-keys.ts'
import { happen, wrongStatus } from './life/key-life.ts'
import { isOfOwner } from './life/key-owner.ts'
import { isOver, nameIn, stayIdOf, stayOver } from './life/stay-of-key.ts'
import {
  type KeyBegun,
  type KeyOrder,
  type Numbered,
  orderedValues,
  type PinBegun,
  unitNameRequired,
} from './orders/key-order.ts'
import type { SealedPin } from './orders/pins.ts'

type KeyRow = Attributes<typeof key.fields>
/**
 * Stores the key and the issuance of a card that is about to be made. An original supersedes the unit's live keys
 * before the card is touched. They are restored if it is proven that the card was not written.
 */
export const beginKey = command(
  'issue-key/asked',
  (tx, input: KeyOrder & { isPlaced: boolean }): KeyBegun => {
    const { isPlaced, ...order } = input
    const { row, numbered } = writeDown(tx, order, 'pendingWrite', null)
    const run = tx.insert(cardRun, {
      keyId: row.id,
      controllerId: order.controllerId,
      dispenserId: order.dispenserId,
      step: 'asked',
      placed: isPlaced,
    } as Attributes<typeof cardRun.fields>)
    return { keyId: row.id, runId: run.id, ...numbered }
  },
)

/** Stores a PIN that is about to be sent to the lock system. Returns null when each PIN of the order is taken. */
export const beginPin = command('issue-pin/asked', (tx, order: KeyOrder): PinBegun | null => {
  const pin = pinFor(tx, order)
  if (!pin) return null
  const { row, numbered } = writeDown(tx, order, 'pendingWrite', pin)
  return { keyId: row.id, sealed: pin.sealed, isNew: order.pins.includes(pin), ...numbered }
})

/** Stores a key that is not due yet as virtual. Returns null when each PIN of the order is taken. */
export const holdPin = command(
  'issue-pin/held',
  (tx, order: KeyOrder): Document | null => {
    const pin = pinFor(tx, order)
    if (!pin) return null
    const { row } = writeDown(tx, order, 'virtual', pin)
    tx.journal('key.virtual-created', `access/keys/${row.id}`, { revision: row.revision })
    return tx.document(key, row.id)
  },
  { isDone: (document) => document !== null },
)

/**
 * Changes a virtual key to a newer request. Nothing is sent to the lock system. Returns null when another key has the
 * same PIN in the new window.
 */
export const changeHeld = command(
  'issue-pin/held-changed',
  (tx, input: { keyId: string; order: KeyOrder }): Document | null => {
    const { keyId, order } = input
    const held = tx.find(key, keyId)
    expectVirtual(held)
    if (hasOtherOwner(tx, held.pinMark, held, order)) return null
    noteConfirmation(tx, keyId, order.confirmed, guardHeld(tx, order, held))
    const row = tx.patch(key, keyId, { ...orderedValues(order), opensAt: order.opensAt })
    tx.journal('key.changed', `access/keys/${keyId}`, { revision: row.revision })
    return tx.document(key, keyId)
  },
  { isDone: (document) => document !== null },
)

/**
 * Makes a virtual key pending, before it is sent to the lock system. It keeps its PIN. Returns null when another key
 * has the same PIN in the window.
 */
export const materialiseKey = command(
  'issue-pin/due',
  (tx, input: { keyId: string; order: KeyOrder }): PinBegun | null => {
    const { keyId, order } = input
    const held = tx.find(key, keyId)
    expectVirtual(held)
    if (order.lock === null) throw unitNameRequired()
    if (isOver(tx, held.stayId)) throw stayOver()
    if (hasOtherOwner(tx, held.pinMark, held, order)) return null
    const rivals = rivalsOf(tx, { ...wantedOf(order), id: keyId })
    noteConfirmation(tx, keyId, order.confirmed, guardHeld(tx, order, held))
    expectOwnKey(tx, order, { stayId: held.stayId, rivals, credential: held.credential ?? 0 })
    const doorRows = numberedDoors(tx, order, undefined, held.stayId)
    const copy = isBeside(tx, order, doorRows)
    const { controllerId } = order
    const changes = { ...orderedValues(order), controllerId, doorRows, isVirtual: false }
    const row = happen(tx, held, 'due', { changes }) ?? held
    supersedeAtDoors(tx, row)
    return { keyId, sealed: held.pinSealed ?? '', isNew: false, ...numbersOf(row), copy }
  },
)

/**
 * Gives the key another PIN, because the lock system has the first one for another key. Returns null when each PIN of
 * the order is taken.
 */
export const anotherPin = command(
  'issue-pin/another',
  (tx, input: { keyId: string; order: KeyOrder }): PinBegun | null => {
    const { keyId, order } = input
    const pin = freePin(tx, order)
    if (!pin) return null
    const values = { pin: pin.shown, pinSealed: pin.sealed, pinMark: pin.mark }
    return { keyId, sealed: pin.sealed, isNew: true, ...numbersOf(tx.patch(key, keyId, values)) }
  },
)

/** The numbers of a stored key, as its lock system receives them. */
function numbersOf(row: Key): Numbered {
  const credential = row.credential ?? 0
  const family = row.familyNumber ?? credential
  return { sequence: numberAt(row, row.lock), copy: !row.original, credential, family }
}

/** Inserts the key's row and assigns its numbers. */
function writeDown(tx: Transaction, order: KeyOrder, status: KeyStatus, pin: SealedPin | null) {
  const { request } = order
  const { usage } = request
  const stayId = usage === 'OneShot' || usage === 'Spare' ? null : stayOfOrder(tx, order)
  if (isOver(tx, stayId)) throw stayOver()
  const wanted = wantedOf(order)
  const rivals = rivalsOf(tx, wanted)
  const found = usage === 'Guest' || usage === 'Staff' ? sourceOf(tx, rivals, order, stayId) : undefined
  const source = found && isNewestKnown(tx, found) ? found : undefined
  const original = request.original ?? source === undefined
  if (!original && !source)
    throw new Problem(
      'no-original-key',
      found ? mayBeEnded : 'The unit has no live original key of this stay to copy.',
    )
  if (!original && source) refuseTooManyCopies(tx, source, order.maxCopies)
  const copied = original ? undefined : source
  // A copy without a stay takes the stay of its original.
  const owner = { externalId: request.externalId ?? copied?.externalId, stayId: stayId ?? copied?.stayId }
  const mainDoor = mainDoorOf(tx, wanted)
  const other = guardDoors(tx, { ...wanted, ...owner, original }, noUnits, mainDoor)
  // A guest's key without a name is that of the only guest behind the door, so that the check-out ends it.
  if (usage === 'Guest' && !owner.externalId) owner.stayId ??= onlyGuestBehind(mainDoor)
  const credential = tx.next('credential')
  expectOwnKey(tx, { ...order, request: { ...request, original } }, { stayId, rivals, credential })
  const doorRows = numberedDoors(tx, order, copied, owner.stayId)
  const copy = !original || isBeside(tx, order, doorRows)
  const row = tx.insert(key, {
    ...request,
    ...orderedValues(order),
    original,
    providerId: order.providerId,
    controllerId: order.controllerId,
    keyType: order.keyType,
    isVirtual: status === 'virtual',
    isOfStay: order.isOfStay && original,
    status,
    opensAt: order.opensAt,
    sequence: copied ? familyOf(tx, copied).length + 1 : 1,
    familyId: copied?.familyId ?? randomUUID(),
    familyNumber: copied?.familyNumber ?? copied?.credential ?? credential,
    ...owner,
    credential,
    doorRows,
    ...(pin && { pin: pin.shown, pinSealed: pin.sealed, pinMark: pin.mark }),
  } as KeyRow)
  if (status !== 'virtual') supersedeAtDoors(tx, row)
  supersedeReplaced(tx, order, row.id)
  noteConfirmation(tx, row.id, order.confirmed, other)
  return { row, numbered: { ...numbersOf(row), copy } }
}

const mayBeEnded =
  'The original key is older than the restored backup, and the door may have had a newer key since, which is not known: a copy might not open it. Make a new original.'

/**
 * Whether a key gets the number of another one in use at its main door, as at a shared lock and in the unit of guests who share it. A
 * lock system that counts keys makes it beside that one only if it takes it for a copy.
 */
function isBeside(tx: Transaction, order: KeyOrder, doorRows: KeyDoor[]): boolean {
  const { lock, isShared, request } = order
  if (!isShared && !supersedesOthers({ original: true, usage: request.usage })) return false
  const number = numberAt({ doorRows }, lock)
  const inUse = keysAtDoor(tx, order, 'live', 'pendingWrite', 'unknown')
  return inUse.some((each) => numberAt(each, lock) === number)
}

/** Asks the guard of the doors about a virtual key. */
function guardHeld(tx: Transaction, order: KeyOrder, { id, stayId, original }: Key): string | null {
  return guardDoors(tx, { ...wantedOf(order), id, stayId, original })
}

/** What the guard of the doors asks about an order. */
function wantedOf(order: KeyOrder): Omit<WantedKey, 'stayId' | 'original'> {
  const { request, providerId, lock, extraLocks, keyType, validFrom, validUntil, countsItself, confirmed } =
    order
  const { unitName, extraUnits, usage, externalId, startDate, endDate } = request
  const named = { unitName, extraUnits, usage, externalId, startDate, endDate }
  const key = { ...named, extraLocks, providerId, lock, keyType }
  return { id: null, ...key, validFrom, validUntil, countsItself, confirmed }
}

/** Supersedes the key that this one replaces. It is restored if no one receives the new card. */
function supersedeReplaced(tx: Transaction, { replaces }: KeyOrder, by: string): void {
  const replaced = replaces === null ? null : tx.find(key, replaces)
  if (replaced?.status === 'live') supersede(tx, replaced, by)
}

/** The original that an order copies: for now the one in force, and for later the one that was made in advance, where both are there. */
function sourceOf(tx: Transaction, rivals: Key[], order: KeyOrder, stayId: string | null): Key | undefined {
  const originals = rivals.filter((each) => supersedesOthers(each) && belongsTo(each, order, stayId))
  const isNow = isInForce(tx, order)
  return originals.find((each) => isInForce(tx, each) === isNow) ?? originals[0]
}

/** At a shared lock, a key without a name could be anybody's. */
function belongsTo(
  row: Key,
  { request: { externalId }, isShared }: KeyOrder,
  stayId: string | null,
): boolean {
  return externalId === null ? !isShared : isOfOwner(row, { externalId, stayId })
}

function stayOfOrder(tx: Transaction, { request, stayId }: KeyOrder): string | null {
  return stayId ?? stayIdOf(tx, nameIn(request))
}

/** The PIN for an order: the stay's earlier one, or a free one for a copy and for a key that is made again. */
function pinFor(tx: Transaction, order: KeyOrder): SealedPin | null {
  const { request } = order
  const mayKeep = request.original !== false && !order.freshPin
  const kept = mayKeep ? keptPin(tx, order, stayOfOrder(tx, order)) : null
  return kept ?? freePin(tx, order)
}

function familyOf(tx: Transaction, { familyId }: Key): Key[] {
  return tx.select(key, having({ familyId: familyId ?? '' }))
}

function refuseTooManyCopies(tx: Transaction, source: Key, maxCopies: number): void {
  const copies = familyOf(tx, source).filter((each) => !each.original && each.status === 'live')
  if (copies.length < maxCopies) return
  throw invalidValue('/original', `The lock system takes at most ${maxCopies} copies of a key.`, {
    maxCopies,
  })
}

function expectVirtual(row: Key): void {
  if (row.status !== 'virtual') throw wrongStatus(row)
}
