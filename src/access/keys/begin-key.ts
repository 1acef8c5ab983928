import { randomUUID } from 'node:crypto'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { freePin, hasOtherOwner, keptPin } from '../pins/pin-in-use.ts'
import type { SealedPin } from '../pins/pins.ts'
import { cardRun } from '../resources/card-run.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { guardDoors, noteConfirmation, onlyGuestBehind, type WantedKey } from './door-guard.ts'
import { type KeyBegun, type KeyOrder, orderedValues, type PinBegun, unitNameRequired } from './key-order.ts'
import { setStatus, supersede, supersedeAtDoors } from './key-status.ts'
import { expectOwnKey } from './kiosk-keys.ts'
import { extraDoors, lockNumber } from './lock-number.ts'
import { keysAtDoor, rivalsOf, supersedesOthers } from './pending/lock-order.ts'
import { isOfOwner } from './stay/key-owner.ts'
import { isOver, nameIn, stayIdOf, stayOver } from './stay/stay-of-key.ts'

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
    const held = tx.find(key, keyId) as Key
    expectVirtual(held)
    if (hasOtherOwner(tx, held.pinMark, held, order)) return null
    noteConfirmation(tx, keyId, order.confirmed, guardHeld(tx, order, held))
    const row = tx.patch(key, keyId, { ...orderedValues(order), opensAt: order.opensAt } as Partial<KeyRow>)
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
    const held = tx.find(key, keyId) as Key
    expectVirtual(held)
    if (order.lock === null) throw unitNameRequired()
    if (isOver(tx, held.stayId)) throw stayOver()
    if (hasOtherOwner(tx, held.pinMark, held, order)) return null
    const rivals = rivalsOf(tx, { ...wantedOf(order), id: keyId })
    noteConfirmation(tx, keyId, order.confirmed, guardHeld(tx, order, held))
    expectOwnKey(tx, order, held.stayId, rivals)
    const sequence = lockNumber(tx, order, undefined)
    const copy = isBeside(tx, order)
    tx.patch(key, keyId, {
      ...orderedValues(order),
      controllerId: order.controllerId,
      lockSequence: sequence,
      isVirtual: false,
    } as Partial<KeyRow>)
    setStatus(tx, held, 'pendingWrite', { reason: 'due' })
    supersedeAtDoors(tx, tx.find(key, keyId) as Key)
    const credential = held.credential ?? tx.next('credential')
    const numbered = { sequence, copy, credential, family: held.familyNumber ?? credential }
    return { keyId, sealed: held.pinSealed ?? '', isNew: false, ...numbered }
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
    const row = tx.patch(key, keyId, values as Partial<KeyRow>) as Key
    const credential = row.credential ?? 0
    const numbered = { sequence: row.lockSequence ?? 0, copy: !row.original, credential }
    return { keyId, sealed: pin.sealed, isNew: true, ...numbered, family: row.familyNumber ?? credential }
  },
)

/** Inserts the key's row and assigns its numbers. */
function writeDown(tx: Transaction, order: KeyOrder, status: KeyStatus, pin: SealedPin | null) {
  const { request } = order
  const { usage } = request
  const stayId = usage === 'OneShot' || usage === 'Spare' ? null : stayOfOrder(tx, order)
  if (isOver(tx, stayId)) throw stayOver()
  const wanted = wantedOf(order)
  const rivals = rivalsOf(tx, wanted)
  const source = usage === 'Guest' || usage === 'Staff' ? sourceOf(rivals, order, stayId) : undefined
  const original = request.original ?? source === undefined
  if (!original && !source)
    throw new Problem('no-original-key', 'The unit has no live original key of this stay to copy.')
  if (!original && source) refuseTooManyCopies(tx, source, order.maxCopies)
  const copied = original ? undefined : source
  // A copy without a stay takes the stay of its original.
  const owner = { externalId: request.externalId ?? copied?.externalId, stayId: stayId ?? copied?.stayId }
  const other = guardDoors(tx, { ...wanted, ...owner, original })
  // A guest's key without a name is that of the only guest behind the door, so that the check-out ends it.
  if (usage === 'Guest' && !owner.externalId) owner.stayId ??= onlyGuestBehind(tx, wanted)
  expectOwnKey(tx, { ...order, request: { ...request, original } }, stayId, rivals)
  const credential = tx.next('credential')
  const sequence = lockNumber(tx, order, copied)
  const family = copied?.familyNumber ?? copied?.credential ?? credential
  const copy = !original || isBeside(tx, order)
  const row = tx.insert(key, {
    ...request,
    ...(orderedValues(order) as Partial<KeyRow>),
    original,
    providerId: order.providerId,
    controllerId: order.controllerId,
    keyType: order.keyType,
    isVirtual: status === 'virtual',
    isOfStay: order.isOfStay && original,
    status,
    opensAt: order.opensAt,
    sequence: copied ? familySize(tx, copied) + 1 : 1,
    familyId: copied?.familyId ?? randomUUID(),
    familyNumber: family,
    ...owner,
    credential,
    lockSequence: sequence,
    doorRows: extraDoors(tx, order, copied),
    ...(pin && { pin: pin.shown, pinSealed: pin.sealed, pinMark: pin.mark }),
  } as KeyRow)
  if (status !== 'virtual') supersedeAtDoors(tx, row as Key)
  supersedeReplaced(tx, order, row.id)
  noteConfirmation(tx, row.id, order.confirmed, other)
  return { row, numbered: { sequence, copy, credential, family } }
}

/**
 * Whether a shared lock has a key already, or may have one. A lock system that counts by itself then makes another beside it only
 * if it takes it for a copy.
 */
function isBeside(tx: Transaction, order: KeyOrder): boolean {
  const inUse: KeyStatus[] = ['live', 'pendingWrite', 'unknown']
  return order.isShared && inUse.some((status) => keysAtDoor(tx, order, status).length > 0)
}

/** Asks the guard of the doors about a virtual key. */
function guardHeld(tx: Transaction, order: KeyOrder, { id, stayId, original }: Key): string | null {
  return guardDoors(tx, { ...wantedOf(order), id, stayId, original })
}

/** What the guard of the doors asks about an order. */
function wantedOf(order: KeyOrder): Omit<WantedKey, 'stayId' | 'original'> {
  const { request, providerId, lock, keyType, validFrom, validUntil, countsItself, confirmed } = order
  const { unitName, extraUnits, usage, externalId } = request
  const key = { unitName, extraUnits, usage, externalId, providerId, lock, keyType }
  return { id: null, ...key, validFrom, validUntil, countsItself, confirmed }
}

/** Supersedes the key that this one replaces. It is restored if no one receives the new card. */
function supersedeReplaced(tx: Transaction, { replaces }: KeyOrder, by: string): void {
  const replaced = replaces === null ? null : (tx.find(key, replaces) as Key)
  if (replaced?.status === 'live') supersede(tx, replaced, by)
}

function sourceOf(rivals: Key[], order: KeyOrder, stayId: string | null): Key | undefined {
  return rivals.find((each) => supersedesOthers(each) && belongsTo(each, order, stayId))
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

function familySize(tx: Transaction, { familyId }: Key): number {
  return tx.select(key, [{ path: 'familyId', operator: 'eq', value: familyId ?? '' }]).length
}

function refuseTooManyCopies(tx: Transaction, source: Key, maxCopies: number): void {
  const family = tx.select(key, [{ path: 'familyId', operator: 'eq', value: source.familyId ?? '' }])
  const copies = family.filter((each) => !each.original && each.status === 'live').length
  if (copies < maxCopies) return
  throw invalidValue('/original', `The lock system takes at most ${maxCopies} copies of a key.`, {
    maxCopies,
  })
}

function expectVirtual({ status }: Key): void {
  if (status === 'virtual') return
  throw new Problem('key-status-transition', `The key is now ${status}.`, { meta: { status } })
}
