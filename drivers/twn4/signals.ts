import type { CardEncoder } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Link } from './link.ts'
import { light } from './protocol.ts'

type Kind = Parameters<CardEncoder['signal']>[0]

/** Sounds are short, for the reader does nothing else meanwhile. */
const shown: Record<Kind, { pin: number; sound?: { hertz: number; ms: number } }> = {
  ready: { pin: light.yellow },
  good: { pin: light.green, sound: { hertz: 2_400, ms: 100 } },
  bad: { pin: light.red, sound: { hertz: 600, ms: 300 } },
}

/** Shows one light and plays its sound; passes over what this model does not have. */
export function signals(ask: Link['ask']): (kind: Kind) => Promise<void> {
  return async (kind) => {
    const { pin, sound } = shown[kind]
    await whereSupported(async () => {
      // No pull-up or -down, push-pull. Each time, for a reader that was without power has forgotten it.
      await ask('configureOutputs', light.all, 0, 0)
      await ask('clearOutputs', light.all)
      await ask('setOutputs', pin)
    })
    if (sound)
      await whereSupported(() => ask('beep', 100, ...word(sound.hertz), ...word(sound.ms), ...word(0)))
  }
}

async function whereSupported(show: () => Promise<unknown>): Promise<void> {
  try {
    await show()
  } catch (cause) {
    if (!(cause instanceof DeviceFault && cause.code === 'unsupported-operation')) throw cause
  }
}

function word(value: number): [number, number] {
  return [value & 0xff, value >>> 8]
}
