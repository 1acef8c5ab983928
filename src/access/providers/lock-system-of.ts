import { DeviceFault } from '../../devices/fault.ts'
import type { OnlineLockSystem } from '../../devices/lock-system.ts'
import type { Machines, Property } from '../access.ts'
import { providerOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { LockSystem } from './lock-systems.ts'

type Systems = Pick<Property, 'reader'> & Pick<Machines, 'systems'>

/** The lock system of a controller. Throws lock-system-unreachable when this build has no driver for it. */
export function lockSystemOf(access: Systems, controller: AccessController): LockSystem {
  return access.systems.of(providerOf(access, controller))
}

/** Whether the lock system stores the rights itself. Throws as `lockSystemOf` does. */
export function isOnline(access: Systems, controller: AccessController): boolean {
  return lockSystemOf(access, controller).kind === 'online'
}

/** The online lock system of a controller. Throws unsupported-operation for another kind. */
export function onlineSystem(access: Systems, controller: AccessController): OnlineLockSystem {
  const found = lockSystemOf(access, controller)
  if (found.kind === 'online') return found.system
  throw new DeviceFault('unsupported-operation', `${controller.name}: its lock system has no PINs.`)
}
