import type { FaultCode } from '../../../devices/fault.ts'
import { stay } from '../../../reservation/resources/stay.ts'
import type { Document, WriteOptions } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access } from '../../access.ts'
import { faultBehind } from '../../handles/device-problem.ts'
import { changeHeldPin, issuePin, materialise, resolvePin } from '../../pins/issue-pin.ts'
import { inTurn } from '../../providers/in-turn.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { type Key, key } from '../../resources/key.ts'
import type { KeyRequest } from '../../resources/key-request.ts'
import { expectInHouse } from '../kiosk-keys.ts'
import { stayBy } from '../life/stay-of-key.ts'
import { guardDoubtfulKey, keepKey } from '../online-commands.ts'
import type { Job, KeyJob } from '../orders/job.ts'
import { anew, type KeyOrder, unitNameRequired } from '../orders/key-order.ts'
import { revokeKey } from '../revoke-keys.ts'
import { changeInPlace, changesWithoutCard, wantedBy } from './change-in-place.ts'
import { makeKey } from './make-key.ts'
import { orderOf } from './order-of.ts'
import { nextStep, type ReconcileStep } from './reconcile-table.ts'
import { foundOf, isSame, lacksPin, stayKey } from './stay-key.ts'

interface Reconciling extends Pick<KeyOrder, 'confirmed'>, Partial<Pick<KeyOrder, 'atKiosk'>> {
  controller: AccessController
  /** It names the stay. */
  externalId: string
  /** The stay, where it is known: the name may be that of another one by now. */
  stayId?: string | null | undefined
  /** The unit of the card that is meant, for a stay of several units; without it the newest key is meant. */
  unitName?: string | null
  /** The dates of the request, where its name finds the stay. */
  dates: Pick<KeyRequest, 'startDate' | 'endDate'>
  /**
   * The request for the stay's key. It is called in the caller's turn with the key as it is then, which another request may have
   * changed or replaced meanwhile. It throws when that is not the key that the caller has seen.
   */
  request(held: Key | null): KeyRequest
  options: WriteOptions
}

/**
 * Makes the stay's key equal to the request: creates, changes or keeps it. The same request again changes nothing.
 * Resolves with the key's document, or rejects, within the controller's `timeoutMs`.
 */
export function reconcileKey(access: Access, reconciling: Reconciling): Promise<Document> {
  return inTurn(access, reconciling.controller, reconciling.options, (job) =>
    reconcile(access, reconciling, job),
  )
}

async function reconcile(access: Access, reconciling: Reconciling, job: Job): Promise<Document> {
  const { controller, externalId, unitName = null, dates, confirmed, atKiosk = null, options } = reconciling
  const own = reconciling.stayId
    ? access.reader.row(stay, reconciling.stayId)
    : stayBy(access.reader, { name: externalId, unitName, dates })
  const held = stayKey(access, controller, { stayId: own?.id, externalId }, unitName)
  const request = { ...reconciling.request(held), externalId }
  const found = foundOf(access, held, own)
  if (found === 'gone') throw keyGone(held)
  if (atKiosk && held) expectInHouse(own)
  // A virtual key keeps the unit of an earlier request. For a key that is due, the request must name the unit.
  const whole = { ...request, unitName: request.unitName ?? held?.unitName ?? null }
  const freshPin = lacksPin(access, held)
  const ordered = orderOf(access, controller, whole, { confirmed, atKiosk, stayId: own?.id })
  const order = { ...ordered, isOfStay: true, freshPin }
  const step = nextStep(found, {
    windowOpen: order.opensAt === null,
    unitNamed: request.unitName !== null,
    matches: held !== null && isSame(held, order, access.clock.now()),
  })
  return take(access, step, held, { controller, order, options, job })
}

/** Takes a step of the table. `held` is not null for each step that needs a key. */
function take(access: Access, step: ReconcileStep, held: Key | null, wanted: KeyJob): Promise<Document> {
  const { controller, order, options } = wanted
  const isPin = controller.keyType === 'pinCode'
  switch (step) {
    case 'gone':
      throw keyGone(held)
    case 'refuse-unit':
      throw unitNameRequired()
    case 'revive':
      return isPin ? revivePin(access, held!, wanted) : makeKey(access, { ...wanted, order: anew(order) })
    case 'hold':
    case 'make':
      return isPin ? firstPin(access, held, wanted) : makeKey(access, wanted)
    case 'keep':
      // Nothing changes, but an answer that contains a PIN is stored only with its command.
      return access.writer.execute(keepKey, { keyId: held!.id }, options)
    case 'change-held':
      return changeHeldPin(access, held!, order, options)
    case 'materialise':
      return materialise(access, held!, wanted)
    case 'resolve':
      return isPin ? settlePin(access, held!, wanted) : makeKey(access, { ...wanted, order: anew(order) })
    case 'change':
      if (isPin) return (held!.changeAsked ? revivePin : changePin)(access, held!, wanted)
      // The rights of a card are changed remotely where the lock system can; otherwise another card is made.
      if (changesWithoutCard(access, controller)) return changeAtLock(access, held!, wanted)
      return makeKey(access, { ...wanted, order: anew(order) })
  }
}

function changeAtLock(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  const { controller, order, options, job } = wanted
  job.report({ step: 'writing' })
  return changeInPlace(access, controller, wantedBy(held.id, order), options)
}

/** Makes a PIN for a stay that has no key, or none that can be continued. A virtual key whose digits are lost is removed. */
async function firstPin(access: Access, held: Key | null, wanted: KeyJob): Promise<Document> {
  const { actor } = wanted.options
  const made = await issuePin(access, wanted)
  const lost = { keyId: held?.id ?? '', as: 'removed', reason: 'pin-lost' } as const
  if (held?.status === 'virtual') await access.writer.execute(revokeKey, lost, { actor })
  return made
}

/**
 * Changes a PIN to an order. At the same lock, its window is changed. At another lock it is created again, and the
 * first one is revoked when the new one is confirmed.
 */
async function changePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  const { order } = wanted
  if (order.lock === null) throw unitNameRequired()
  if (order.lock === held.lock) return changeAtLock(access, held, wanted)
  const moved = await issuePin(access, { ...wanted, order: { ...anew(order), opensAt: null } })
  access.chase()
  return moved
}

/** Resolves an unknown PIN first, and then changes it to the order. */
async function settlePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  const { controller, order, options, job } = wanted
  job.report({ step: 'writing' })
  const guarded = { keyId: held.id, confirmed: order.confirmed }
  await access.writer.execute(guardDoubtfulKey, guarded, { actor: options.actor })
  if (isSame(held, order, access.clock.now())) return resolvePin(access, controller, held, options)
  const { id } = await resolvePin(access, controller, held, { actor: options.actor })
  return changePin(access, access.reader.row(key, id) ?? held, wanted)
}

/**
 * Changes a PIN, and creates it again when the lock system does not have it: after its window was over, or while a
 * change is unfinished. The PIN stays the same unless another key has it now.
 */
async function revivePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  try {
    return await changePin(access, held, wanted)
  } catch (error) {
    const fault = faultBehind(error)
    const isOver = held.status === 'expired'
    if (!fault || fault.outcomeUnknown || !(isOver ? forgetful : unknowing).includes(fault.code)) throw error
    return issuePin(access, { ...wanted, order: anew(wanted.order) })
  }
}

/** The faults after which a PIN is created again: the lock system reports that it has no such key. */
const unknowing: readonly FaultCode[] = ['lock-system-rejected']

/** The same for a PIN whose window was over: also that it changes no keys, or that another key has the PIN. */
const forgetful: readonly FaultCode[] = [...unknowing, 'unsupported-operation', 'pin-unavailable']

/** Create-or-reconcile rule 5: the caller stops asking after this error. */
function keyGone(held: Key | null): Problem {
  const why = held ? `It is ${held.status}.` : 'Its stay is over.'
  return new Problem('key-gone', `The key of the stay is no longer valid. ${why}`, {
    meta: held ? { keyId: held.id, status: held.status } : {},
  })
}
