import { isDeepStrictEqual } from 'node:util'
import type { FaultCode } from '../../devices/fault.ts'
import { isLive } from '../../reservation/status.ts'
import { stayBy } from '../../reservation/stay-by.ts'
import type { Document, WriteOptions } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import type { Progress } from '../cards/issue-card.ts'
import { faultBehind } from '../equipment/device-problem.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'
import { changeInPlace, changesWithoutCard, wantedBy } from './change-in-place.ts'
import { changeHeldPin, issuePin, materialise, resolvePin } from './issue-pin.ts'
import { type KeyOrder, orderedValues, orderOf, unitNameRequired } from './key-order.ts'
import type { KeyRequest } from './key-request.ts'
import { cameToNobody } from './lost-cards.ts'
import { keepKey } from './online-changes.ts'
import { pinOrNull } from './pins.ts'
import { revokeKey } from './revoke-changes.ts'

/** What there is of a stay's key, as far as it matters for what to do. */
export type Found = 'none' | 'virtual' | 'live' | 'expired' | 'unknown' | 'gone'

/** What is to be done about it. */
export type Step =
  | 'hold'
  | 'make'
  | 'refuse-unit'
  | 'change-held'
  | 'materialise'
  | 'keep'
  | 'change'
  | 'revive'
  | 'resolve'
  | 'gone'

interface Asked {
  windowOpen: boolean
  unitNamed: boolean
  /** The key is already what the request asks for. */
  matches: boolean
}

/**
 * Create-or-reconcile by reservation, and the materialisation table, row for row: what is done about a key that is found
 * when it is asked for as it says.
 */
export function nextStep(found: Found, { windowOpen, unitNamed, matches }: Asked): Step {
  if (found === 'gone') return 'gone'
  if (windowOpen && !unitNamed) return 'refuse-unit'
  if (found === 'none') return windowOpen ? 'make' : 'hold'
  if (found === 'expired') return windowOpen ? 'revive' : 'hold'
  if (found === 'virtual') {
    if (windowOpen) return 'materialise'
    return matches ? 'keep' : 'change-held'
  }
  if (found === 'unknown') return 'resolve'
  return matches ? 'keep' : 'change'
}

export interface Reconciling {
  controller: AccessController
  /** Its externalId names the stay. */
  request: KeyRequest & { externalId: string }
  override: boolean
  options: WriteOptions
  progress: Progress
  /** Throws when the key is not the one that whoever asks has seen. Called in his turn, before anything is done. */
  expectHeld?(held: Key | null): void
}

/** How cards are made, where the key of a stay is a card. */
type MakeCard = (order: KeyOrder) => Promise<Document>

/** Makes a stay's key what the request says, or leaves it as it is; the same again changes nothing. */
export async function reconcile(access: Access, asked: Reconciling, makeCard: MakeCard): Promise<Document> {
  const { controller, request, override, options, progress } = asked
  const held = stayKey(access, controller, request.externalId)
  asked.expectHeld?.(held)
  const found = foundOf(access, held, request.externalId)
  if (found === 'gone') throw keyGone(held)
  // What is held keeps the unit of an earlier request; what reaches the lock system names it anew.
  const whole = { ...request, unitName: request.unitName ?? held?.unitName ?? null }
  const freshPin = lacksPin(access, held)
  const order = { ...orderOf(access, controller, whole, { override }), isOfStay: true, freshPin }
  const step = nextStep(found, {
    windowOpen: order.opensAt === null,
    unitNamed: request.unitName !== null,
    matches: held !== null && isSame(held, order, access.now()),
  })
  const isPin = controller.keyType === 'pinCode'
  switch (step) {
    case 'gone':
      throw keyGone(held)
    case 'refuse-unit':
      throw unitNameRequired()
    case 'revive':
      return isPin ? revivePin(access, asked, held!, order) : makeCard(anew(order))
    case 'hold':
    case 'make':
      return isPin ? firstPin(access, asked, held, order) : makeCard(order)
    case 'keep':
      return kept(access, held!, options)
    case 'change-held':
      return changeHeldPin(access, held!, order, options)
    case 'materialise':
      return materialise(access, controller, held!, order, options, progress)
    case 'resolve':
      return isPin ? settlePin(access, asked, held!, order) : makeCard(anew(order))
    case 'change':
      if (isPin) return (held!.changeAsked ? revivePin : changePin)(access, asked, held!, order)
      if (changesWithoutCard(access, controller)) {
        progress.step = 'writing'
        return changeInPlace(access, controller, wantedBy(held!.id, order), options)
      }
      return makeCard(anew(order))
  }
}

/** Such a key may bear a stay's name, and is not its key. */
const nobodys = ['OneShot', 'Spare'] as const

/** The newest original that was made for a stay at the controller's lock system, by whichever of its names. */
function stayKey(access: Access, controller: AccessController, externalId: string): Key | null {
  const stay = stayBy(access.reader, externalId)
  const byName = newestBy(access, controller, 'externalId', externalId)
  const byStay = stay && newestBy(access, controller, 'stayId', stay.id)
  return byName && numberOf(byName) > numberOf(byStay) ? byName : byStay
}

function newestBy(
  { reader }: Access,
  { providerId, keyType }: AccessController,
  path: 'externalId' | 'stayId',
  value: string,
): Key | null {
  const filters = [
    { path, operator: 'eq' as const, value },
    { path: 'providerId', operator: 'eq' as const, value: providerId },
    { path: 'keyType', operator: 'eq' as const, value: keyType },
    { path: 'original', operator: 'eq' as const, value: 1 },
    ...nobodys.map((value) => ({ path: 'usage', operator: 'ne' as const, value })),
    { path: 'status', operator: 'ne' as const, value: 'failed' },
  ]
  const [found] = reader.rows(key, {
    filters,
    sort: [{ path: 'credential', descending: true }],
    page: { size: 1 },
  })
  return found ?? null
}

/** Keys are numbered as they are made, whatever the clock says. */
function numberOf(row: Key | null): number {
  return row?.credential ?? -1
}

const foundBy: Record<NonNullable<Key['status']>, Found> = {
  virtual: 'virtual',
  live: 'live',
  unknown: 'unknown',
  pendingWrite: 'unknown',
  // Its window is over, and the stay may have been extended since: its PIN may still be in its lock.
  expired: 'expired',
  // Another stay has the unit's newest key: what may be made is decided anew.
  superseded: 'none',
  failed: 'none',
  blocked: 'gone',
  invalidated: 'gone',
  revocationPending: 'gone',
  removed: 'gone',
}

function foundOf(access: Access, held: Key | null, externalId: string): Found {
  const stay = stayBy(access.reader, externalId)
  if (stay && !isLive(stay.status)) return 'gone'
  // The guest who was told that his card failed asks again.
  if (held && cameToNobody(access.reader, held)) return 'none'
  const found = held?.status ? foundBy[held.status] : 'none'
  // There is nothing to go on with.
  return lacksPin(access, held) && found !== 'gone' ? 'none' : found
}

/** Its digits were forgotten after its end, or their seal does not open any more. */
function lacksPin({ workshop }: Access, held: Key | null): boolean {
  if (held?.keyType !== 'pinCode') return false
  return !held.pinSealed || pinOrNull(workshop, held.pinSealed) === null
}

/** Create-or-reconcile rule 5: whoever is told this stops asking. */
function keyGone(held: Key | null): Problem {
  const why = held ? `It is ${held.status}.` : 'Its stay is over.'
  return new Problem('key-gone', `The key of the stay is gone. ${why}`, {
    meta: held ? { keyId: held.id, status: held.status } : {},
  })
}

/** Two starts that are over are the same start. What may have been changed since is not the same as anything. */
function isSame(row: Key, order: KeyOrder, now: number): boolean {
  if (row.changeAsked) return false
  const { validFrom, ...wanted } = orderedValues(order)
  const hasBegun = validFrom <= now && (row.validFrom ?? 0) <= now
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  return (
    (hasBegun || row.validFrom === validFrom) &&
    isDeepStrictEqual(
      names.map((name) => row[name] ?? null),
      names.map((name) => wanted[name] ?? null),
    )
  )
}

/** Through the door although nothing changes: an answer with a PIN in it is kept nowhere else. */
function kept({ door }: Access, { id }: Key, options: WriteOptions): Promise<Document> {
  return door.write(keepKey, { keyId: id }, options)
}

/** A card that is to say something else is a new original: what the lock saw last is what counts. */
function anew(order: KeyOrder): KeyOrder {
  return { ...order, request: { ...order.request, original: true } }
}

/** The PIN of a stay that has none to go on with. What was held of which the digits are lost is held no more. */
async function firstPin(
  access: Access,
  { controller, options, progress }: Reconciling,
  held: Key | null,
  order: KeyOrder,
): Promise<Document> {
  const made = await issuePin(access, controller, order, options, progress)
  const lost = { keyId: held?.id ?? '', as: 'removed', reason: 'pin-lost' } as const
  if (held?.status === 'virtual') await access.door.write(revokeKey, lost, { actor: options.actor })
  return made
}

/**
 * A PIN in force gets another window at its lock. At another lock it is told anew; what confirms it there has the first
 * one taken away.
 */
async function changePin(
  access: Access,
  { controller, options, progress }: Reconciling,
  held: Key,
  order: KeyOrder,
): Promise<Document> {
  if (order.lock === null) throw unitNameRequired()
  if (order.lock === held.lock) {
    progress.step = 'writing'
    return changeInPlace(access, controller, wantedBy(held.id, order), options)
  }
  const moved = await issuePin(access, controller, { ...anew(order), opensAt: null }, options, progress)
  access.chase()
  return moved
}

/** What became of a PIN is found out first; only then is it made what the request says. */
async function settlePin(access: Access, asked: Reconciling, held: Key, order: KeyOrder): Promise<Document> {
  const { controller, options, progress } = asked
  progress.step = 'writing'
  if (isSame(held, order, access.now())) return resolvePin(access, controller, held, options)
  const { id } = await resolvePin(access, controller, held, { actor: options.actor })
  return changePin(access, asked, access.reader.row(key, id) ?? held, order)
}

/**
 * A lock system that has forgotten a PIN whose window was over is told it anew; the digits stay, unless somebody else
 * has them by now. So is one that knows nothing of a PIN of which a change is unfinished.
 */
async function revivePin(access: Access, asked: Reconciling, held: Key, order: KeyOrder): Promise<Document> {
  try {
    return await changePin(access, asked, held, order)
  } catch (error) {
    const fault = faultBehind(error)
    const isOver = held.status === 'expired'
    if (!fault || fault.outcomeUnknown || !(isOver ? forgetful : unknowing).has(fault.code)) throw error
    return issuePin(access, asked.controller, anew(order), asked.options, asked.progress)
  }
}

/** How a lock system says that it has no such key. */
const unknowing: ReadonlySet<FaultCode> = new Set(['lock-system-rejected'])

/** The same, or that it changes none; and that the digits are those of another key. */
const forgetful: ReadonlySet<FaultCode> = new Set([
  'lock-system-rejected',
  'unsupported-operation',
  'pin-unavailable',
])
