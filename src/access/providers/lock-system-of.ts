import { DeviceFault } from '../../devices/fault.ts'
import type { LockCall, OnlineLockSystem } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import type { Machines, Property } from '../access.ts'
import { providerOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import type { LockSystem } from './lock-systems.ts'

type Systems = Pick<Property, 'reader'> & Pick<Machines, 'systems'>

/** The lock system of a controller. Throws lock-system-unreachable when this build has no driver for it. */
export function lockSystemOf(access: Systems, controller: AccessController): LockSystem {
  return access.systems.of(providerOf(access, controller))
}

/** The lock system of a provider; null when this build has no driver for it. */
export function lockSystemOrNull(
  { systems }: Pick<Machines, 'systems'>,
  row: AccessProvider,
): LockSystem | null {
  try {
    return systems.of(row)
  } catch (error) {
    if (error instanceof DeviceFault) return null
    throw error
  }
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

/** Throws lock-system-unreachable while the provider is switched off. Every request to a lock system calls it first. */
export function expectSwitchedOn({ enabled, name }: AccessProvider): void {
  if (enabled !== false) return
  throw new DeviceFault('lock-system-unreachable', `The provider ${name} is disabled. Enable it first.`)
}

/** The time limit of a request: the controller's timeout less 1 s, so that its caller is in time; at least 400 ms. */
export function lockCall(
  clock: Clock,
  { timeoutMs }: Pick<Partial<AccessController>, 'timeoutMs'>,
): LockCall {
  const limit = Math.max(400, (timeoutMs ?? 18_000) - 1_000)
  return { signal: clock.timeout(limit + 500), timeoutMs: limit }
}
