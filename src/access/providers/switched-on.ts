import { DeviceFault } from '../../devices/fault.ts'
import type { AccessProvider } from '../resources/access-provider.ts'

/** Throws lock-system-unreachable while the provider is switched off. Every request to a lock system calls it first. */
export function expectSwitchedOn({ enabled, name }: AccessProvider): void {
  if (enabled !== false) return
  throw new DeviceFault('lock-system-unreachable', `The provider ${name} is disabled. Enable it first.`)
}
