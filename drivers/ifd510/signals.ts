import type { CardEncoder } from '../../src/devices/capability.ts'
import { whereSupported } from '../../src/devices/driving/demand.ts'
import type { Ifd510Link } from './link.ts'

type Kind = Parameters<CardEncoder['signal']>[0]

/**
 * The duration in fiftieths of a second, within one cycle: a cycle takes a second, in which the reader may ignore
 * commands.
 */
const shown: Record<Kind, { by: 'light' | 'buzzer'; onTime: number }> = {
  ready: { by: 'light', onTime: 25 },
  good: { by: 'buzzer', onTime: 5 },
  bad: { by: 'buzzer', onTime: 30 },
}
const oneCycle = 1

/** Shows a light or plays a sound; skips what this model does not have. */
export function signals(ask: Ifd510Link['ask']): (kind: Kind) => Promise<void> {
  return async (kind) => {
    const { by, onTime } = shown[kind]
    await whereSupported(() => ask(by, onTime, oneCycle))
  }
}
