import { DeviceFault } from '../../devices/fault.ts'
import type { Document, WriteOptions } from '../../resource/command.ts'
import type { Access } from '../access.ts'
import { makeCard, makeTrialCard } from '../cards/make-card.ts'
import { issuePin } from '../pins/issue-pin.ts'
import { expectPlausible } from '../plausible-clock.ts'
import { isOnline } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { KeyJob } from './job.ts'
import type { KeyOrder } from './key-order.ts'
import { inTurn } from './pending/in-turn.ts'

/**
 * Makes a key through a controller: a card, from its dispenser if it has one, or a PIN. An answer leaves within its
 * `timeoutMs`.
 */
export function issueKey(
  access: Access,
  controller: AccessController,
  order: KeyOrder,
  options: WriteOptions,
): Promise<Document> {
  return inTurn(access, controller, options, (job) => makeKey(access, { controller, order, options, job }))
}

/** The same for whoever has his turn already. */
export async function makeKey(access: Access, wanted: KeyJob): Promise<Document> {
  const { order } = wanted
  if (order.opensAt === null) expectPlausible(access.clock)
  return order.keyType === 'pinCode' ? issuePin(access, wanted) : makeCard(access, wanted)
}

/** What became of a card that was made on trial. */
export interface Trial {
  uid: string | null
  isErased: boolean
}

/** Makes a card that is erased and taken back once it is proven. Rejects with what failed. */
export async function tryKey(
  access: Access,
  controller: AccessController,
  order: KeyOrder,
  options: WriteOptions,
): Promise<Trial> {
  if (isOnline(access, controller))
    throw new DeviceFault('unsupported-operation', 'The lock system itself makes the keys.')
  let trial: Trial = { uid: null, isErased: false }
  await inTurn(access, controller, options, async (job) => {
    if (order.opensAt === null) expectPlausible(access.clock)
    const isErased = await makeTrialCard(access, { controller, order, options, job })
    trial = { uid: job.progress().uid, isErased }
  })
  return trial
}
