import type { FaultCode } from '../../devices/fault.ts'
import type { Document } from '../../resource/command.ts'
import type { Access, Machines } from '../access.ts'
import { faultBehind } from '../controllers/device-problem.ts'
import type { KeyJob } from '../keys/orders/job.ts'
import { anew, unitNameRequired } from '../keys/orders/key-order.ts'
import { changeInPlace, wantedBy } from '../keys/pending/change-in-place.ts'
import { revokeKey } from '../keys/pending/revoke-keys.ts'
import { isSame } from '../keys/stay/stay-key.ts'
import { type Key, key } from '../resources/key.ts'
import { issuePin, resolvePin } from './issue-pin.ts'

/** Makes a PIN for a stay that has no key, or none that can be continued. A virtual key whose digits are lost is removed. */
export async function firstPin(access: Machines, held: Key | null, wanted: KeyJob): Promise<Document> {
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
export async function changePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  const { controller, order, options, job } = wanted
  if (order.lock === null) throw unitNameRequired()
  if (order.lock === held.lock) {
    job.report({ step: 'writing' })
    return changeInPlace(access, controller, wantedBy(held.id, order), options)
  }
  const moved = await issuePin(access, { ...wanted, order: { ...anew(order), opensAt: null } })
  access.chase()
  return moved
}

/** Resolves an unknown PIN first, and then changes it to the order. */
export async function settlePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  const { controller, order, options, job } = wanted
  job.report({ step: 'writing' })
  if (isSame(held, order, access.clock.now())) return resolvePin(access, controller, held, options)
  const { id } = await resolvePin(access, controller, held, { actor: options.actor })
  return changePin(access, access.reader.row(key, id) ?? held, wanted)
}

/**
 * Changes a PIN, and creates it again when the lock system does not have it: after its window was over, or while a
 * change is unfinished. The PIN stays the same unless another key has it now.
 */
export async function revivePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
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
