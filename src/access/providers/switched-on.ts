import { DeviceFault } from '../../devices/fault.ts'
import type { AccessProvider } from '../resources/access-provider.ts'

/** Whoever would ask a lock system asks this first: throws lock-system-unreachable while its provider is switched off. */
export function expectSwitchedOn({ enabled, name }: AccessProvider): void {
  if (enabled !== false) return
  throw new DeviceFault('lock-system-unreachable', `The provider ${name} is switched off.`)
}
