import { DeviceFault } from '../../../devices/fault.ts'
import type { Document, WriteOptions } from '../../../resource/command.ts'
import type { Access } from '../../access.ts'
import { makeCard, makeTrialCard } from '../../cards/make-card.ts'
import { expectMayMakeKeys } from '../../may-make-keys.ts'
import { issuePin } from '../../pins/issue-pin.ts'
import { isOnline } from '../../providers/lock-system-of.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { inTurn } from '../pending/in-turn.ts'
import type { KeyJob } from './job.ts'
import type { KeyOrder } from './key-order.ts'

/**
 * Makes a key at a controller: a card, from its dispenser if it has one, or a PIN. Resolves with the key's document, or
 * rejects, within the controller's `timeoutMs`.
 */
export function issueKey(
  access: Access,
  controller: AccessController,
  order: KeyOrder,
  options: WriteOptions,
): Promise<Document> {
  return inTurn(access, controller, options, (job) => makeKey(access, { controller, order, options, job }))
}

/** Makes a key for a caller that already has its turn at the controller. */
export async function makeKey(access: Access, wanted: KeyJob): Promise<Document> {
  const { order } = wanted
  if (order.opensAt === null) expectMayMakeKeys(access)
  return order.keyType === 'pinCode' ? issuePin(access, wanted) : makeCard(access, wanted)
}

/**
 * Makes a card, then erases and captures it once it is proven. Rejects with the fault when that fails, and with
 * unsupported-operation where the lock system makes the keys.
 */
export async function tryKey(
  access: Access,
  controller: AccessController,
  order: KeyOrder,
  { actor }: WriteOptions,
): Promise<{ uid: string | null; isErased: boolean }> {
  if (isOnline(access, controller))
    throw new DeviceFault(
      'unsupported-operation',
      'The lock system makes the keys itself, so this step is not possible.',
    )
  const options = { actor }
  return inTurn(access, controller, options, async (job) => {
    if (order.opensAt === null) expectMayMakeKeys(access)
    const isErased = await makeTrialCard(access, { controller, order, options, job })
    return { uid: job.progress().uid, isErased }
  })
}
