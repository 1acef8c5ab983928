import { DeviceFault } from '../../devices/fault.ts'
import type { Document, WriteOptions } from '../../resource/change.ts'
import type { Access } from '../access.ts'
import { lockCall } from '../cards/lock-system-maker.ts'
import { deviceProblem } from '../equipment/device-problem.ts'
import { expectPlausible } from '../plausible-clock.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Key } from '../resources/key.ts'
import { heldKey } from './held-key.ts'
import { onlineSystem, pinElsewhere } from './issue-pin.ts'
import { type KeyOrder, onlineGrantOf, orderedValues } from './key-order.ts'
import { beginChange, changedKey, refuseChange } from './online-changes.ts'
import { openPin } from './pins.ts'

/** Whether the lock system gives a card other rights without seeing it. */
export function changesWithoutCard(access: Access, controller: AccessController): boolean {
  const found = access.systems.of(access.providerOf(controller))
  return found.kind === 'online' && found.system.change !== undefined
}

/**
 * The key is given what the order says, without a card. Rejects with unsupported-operation where the lock system cannot,
 * and with the 502 of what failed; the key then stays what it was, as far as the store knows.
 */
export async function changeInPlace(
  access: Access,
  controller: AccessController,
  row: Key,
  order: KeyOrder,
  options: WriteOptions,
): Promise<Document> {
  expectPlausible(access.clock)
  const { workshop, door } = access
  try {
    const system = onlineSystem(access, controller)
    if (!system.change)
      throw new DeviceFault('unsupported-operation', 'The lock system changes no key that it has made.')
    const held = heldKey(workshop, row, controller)
    const { credential, sequence, copy, family } = held.grant
    const pin = row.pinSealed ? openPin(workshop, row.pinSealed) : null
    const to = onlineGrantOf(order, { credential, sequence, copy, family }, controller, pin)
    const { actor } = options
    const window = await door.write(beginChange, { keyId: row.id, order }, { actor })
    if (!window) throw pinElsewhere()
    const made = await system
      .change(held, to, lockCall(access.clock, controller))
      .catch(async (error: unknown) => {
        if (error instanceof DeviceFault && !error.outcomeUnknown)
          await door.write(refuseChange, { keyId: row.id, ...window }, { actor })
        throw error
      })
    return await door.write(changedKey, { keyId: row.id, values: orderedValues(order), made }, options)
  } catch (error) {
    throw error instanceof DeviceFault ? deviceProblem(error, { keyId: row.id }) : error
  }
}
