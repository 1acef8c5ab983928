import type { FaultCode } from '../../devices/fault.ts'
import type { Document } from '../../resource/command.ts'
import type { Access, Machines, Property } from '../access.ts'
import { faultBehind } from '../controllers/device-problem.ts'
import type { KeyJob } from '../keys/job.ts'
import { anew, unitNameRequired } from '../keys/key-order.ts'
import { changeInPlace, wantedBy } from '../keys/pending/change-in-place.ts'
import { revokeKey } from '../keys/pending/revoke-changes.ts'
import { isSame } from '../keys/stay-key.ts'
import { type Key, key } from '../resources/key.ts'
import { issuePin, resolvePin } from './issue-pin.ts'

/** The PIN of a stay that has none to go on with. What was held of which the digits are lost is held no more. */
export async function firstPin(
  access: Property & Machines,
  held: Key | null,
  wanted: KeyJob,
): Promise<Document> {
  const { actor } = wanted.options
  const made = await issuePin(access, wanted)
  const lost = { keyId: held?.id ?? '', as: 'removed', reason: 'pin-lost' } as const
  if (held?.status === 'virtual') await access.writer.execute(revokeKey, lost, { actor })
  return made
}

/**
 * A PIN in force gets another window at its lock. At another lock it is told anew; what confirms it there has the first
 * one taken away.
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

/** What became of a PIN is found out first; only then is it made what the request says. */
export async function settlePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  const { controller, order, options, job } = wanted
  job.report({ step: 'writing' })
  if (isSame(held, order, access.clock.now())) return resolvePin(access, controller, held, options)
  const { id } = await resolvePin(access, controller, held, { actor: options.actor })
  return changePin(access, access.reader.row(key, id) ?? held, wanted)
}

/**
 * A lock system that has forgotten a PIN whose window was over is told it anew; the digits stay, unless somebody else
 * has them by now. So is one that knows nothing of a PIN of which a change is unfinished.
 */
export async function revivePin(access: Access, held: Key, wanted: KeyJob): Promise<Document> {
  try {
    return await changePin(access, held, wanted)
  } catch (error) {
    const fault = faultBehind(error)
    const isOver = held.status === 'expired'
    if (!fault || fault.outcomeUnknown || !(isOver ? forgetful : unknowing).has(fault.code)) throw error
    return issuePin(access, { ...wanted, order: anew(wanted.order) })
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
