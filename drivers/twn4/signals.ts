import type { CardEncoder } from '../../src/devices/capability.ts'
import { whereSupported } from '../../src/devices/driving/demand.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Twn4Link } from './link.ts'
import { light } from './protocol.ts'

type Kind = Parameters<CardEncoder['signal']>[0]

interface Sound {
  hertz: number
  ms: number
}

/** Sounds are short, because the reader executes no other command meanwhile. */
const shown: Record<Kind, { pin: number; sound?: Sound }> = {
  ready: { pin: light.yellow },
  good: { pin: light.green, sound: { hertz: 2_400, ms: 100 } },
  bad: { pin: light.red, sound: { hertz: 600, ms: 300 } },
}

const loudest = 100

/**
 * Shows one light and plays its sound; skips what this model does not have. Newer firmware has commands for lights, older
 * firmware only for the pins that they are wired to.
 */
export function signals(ask: Twn4Link['ask'], patience: number, clock: Clock): (kind: Kind) => Promise<void> {
  let hasLights = true

  return async (kind) => {
    const { pin, sound } = shown[kind]
    if (hasLights) hasLights = await isSupported(() => asLight(pin))
    if (!hasLights) await isSupported(() => asPin(pin))
    if (sound && !(await isSupported(() => beep(sound)))) await isSupported(() => soundFor(sound))
  }

  /** The lights are initialised each time, because a reader loses this setting with its power. */
  async function asLight(lights: number): Promise<void> {
    await ask('initLights', light.all)
    await ask('lightsOff', light.all)
    await ask('lightsOn', lights)
  }

  /** The pins are configured without pull-up or pull-down, as push-pull outputs. */
  async function asPin(pin: number): Promise<void> {
    await ask('configureOutputs', light.all, 0, 0)
    await ask('clearOutputs', light.all)
    await ask('setOutputs', pin)
  }

  async function beep({ hertz, ms }: Sound): Promise<void> {
    await ask('beep', loudest, ...word(hertz), ...word(ms), ...word(0))
  }

  async function soundFor({ hertz, ms }: Sound): Promise<void> {
    await ask('beepOn', loudest, ...word(hertz))
    await clock.sleep(ms * patience)
    await ask('beepOff')
  }
}

async function isSupported(show: () => Promise<unknown>): Promise<boolean> {
  const shown = await whereSupported(async () => {
    await show()
    return true
  })
  return shown !== null
}

function word(value: number): [number, number] {
  return [value & 0xff, value >>> 8]
}
