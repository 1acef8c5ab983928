import { DeviceFault } from '../../../devices/fault.ts'
import type {
  HeldKey,
  LockCall,
  OnlineGrant,
  OnlineKey,
  OnlineLockSystem,
} from '../../../devices/lock-system.ts'
import type { Document, WriteOptions } from '../../../resource/command.ts'
import type { Machines } from '../../access.ts'
import { orDeviceProblem } from '../../handles/device-problem.ts'
import { expectMayMakeKeys } from '../../may-make-keys.ts'
import { pinElsewhere, pinLost } from '../../pins/issue-pin.ts'
import { lockCall, lockSystemOf, onlineSystem } from '../../providers/lock-system-of.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { key } from '../../resources/key.ts'
import { placeOf } from '../../resources/key-door.ts'
import { beginChange, changedKey, refuseChange, type WantedChange } from '../change-key.ts'
import { heldKeys } from '../held-key.ts'
import { type KeyOrder, orderedValues } from '../orders/key-order.ts'

/** Whether the lock system changes the rights of a card remotely. */
export function changesWithoutCard(access: Machines, controller: AccessController): boolean {
  const found = lockSystemOf(access, controller)
  return found.kind === 'online' && found.system.change !== undefined
}

type Wanted = Omit<WantedChange, 'wholeFamily'>

/** The change of a stored key to an order. */
export function wantedBy(keyId: string, order: KeyOrder): Wanted {
  return { keyId, values: orderedValues(order), confirmed: order.confirmed }
}

/**
 * Changes a key at its lock system, without a card. Resolves with the key's document. Rejects with
 * unsupported-operation where the lock system cannot, and with a 502 when it fails. A change whose outcome is unknown
 * stays on the key. A repeated request finishes it, and a request for the earlier values undoes it.
 */
export async function changeInPlace(
  access: Machines,
  controller: AccessController,
  wanted: Wanted,
  options: WriteOptions,
): Promise<Document> {
  expectMayMakeKeys(access)
  return orDeviceProblem(changed(access, controller, wanted, options), { keyId: wanted.keyId })
}

async function changed(
  access: Machines,
  controller: AccessController,
  wanted: Wanted,
  options: WriteOptions,
): Promise<Document> {
  const { workshop, writer, reader } = access
  const { keyId, values } = wanted
  const { actor } = options
  const system = onlineSystem(access, controller)
  const { change } = system
  if (!change)
    throw new DeviceFault(
      'unsupported-operation',
      'The lock system cannot change existing keys. Make a new key.',
    )
  const held = heldKeys(workshop, reader.row(key, keyId)!, controller)
  const lacksPin = held[0]!.grant.keyType === 'pinCode' && held[0]!.grant.pin === null
  if (lacksPin) throw pinLost()
  const wholeFamily = system.revokes === 'family'
  const begun = await writer.execute(beginChange, { ...wanted, wholeFamily }, { actor })
  if (!begun) throw pinElsewhere()
  const { unitName: _, ...place } = placeOf(values)
  const to = { ...held[0]!.grant, ...place, lock: place.lock ?? '', authorizations: values.authorizations }
  const made = await fromAny(change, held, to, lockCall(access.clock, controller)).catch(
    async (error: unknown) => {
      if (error instanceof DeviceFault && !error.outcomeUnknown)
        await writer.execute(refuseChange, { begun }, { actor })
      throw error
    },
  )
  const also = begun.map((each) => each.keyId).filter((id) => id !== keyId)
  return writer.execute(changedKey, { keyId, also, values, made }, options)
}

/** Sends the change for each state in which the lock system may have the key, until one is not refused. */
async function fromAny(
  change: NonNullable<OnlineLockSystem['change']>,
  [held, ...others]: HeldKey[],
  to: OnlineGrant,
  call: LockCall,
): Promise<OnlineKey> {
  try {
    return await change(held!, to, call)
  } catch (error) {
    const isRefused = error instanceof DeviceFault && error.code === 'lock-system-rejected'
    if (!isRefused || others.length === 0) throw error
    return fromAny(change, others, to, call)
  }
}
