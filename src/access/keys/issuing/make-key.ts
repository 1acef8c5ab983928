import type { Document, WriteOptions } from '../../../resource/command.ts'
import type { Access } from '../../access.ts'
import { makeCard } from '../../cards/make-card.ts'
import { expectMayMakeKeys } from '../../may-make-keys.ts'
import { issuePin } from '../../pins/issue-pin.ts'
import { inTurn } from '../../providers/in-turn.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import type { KeyJob } from '../orders/job.ts'
import type { KeyOrder } from '../orders/key-order.ts'

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
