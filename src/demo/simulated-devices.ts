import type { Duplex } from 'node:stream'
import crt571 from '../../drivers/crt571/driver.ts'
import { profileOf } from '../../drivers/crt571/protocol.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import {
  simulatedClerk,
  simulatedPmsRequests,
  simulatedPmsWord,
} from '../../drivers/fias/simulator/simulated-clerk.ts'
import {
  simulatedHouse as simulatedKeySystem,
  simulatedLines,
  simulatedRequests,
} from '../../drivers/fias/simulator/simulated-house.ts'
import { commands as ifd510Commands } from '../../drivers/ifd510/protocol.ts'
import { reader as ifd510Reader, simulateIfd510 } from '../../drivers/ifd510/simulator/simulator.ts'
import { simulatedHouse } from '../../drivers/industry-standard/simulator/simulated-house.ts'
import { simulatedCommands, simulateLockPc } from '../../drivers/industry-standard/simulator/simulator.ts'
import k720 from '../../drivers/k720/driver.ts'
import { commands as k720Commands } from '../../drivers/k720/protocol.ts'
import { machine as k720Machine } from '../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../drivers/k720/simulator/simulator.ts'
import { calls as cloudCalls } from '../../drivers/ttlock/protocol.ts'
import { simulatedCloud } from '../../drivers/ttlock/simulator/simulated-cloud.ts'
import { simulateTtlock } from '../../drivers/ttlock/simulator/simulator.ts'
import { commands } from '../../drivers/twn4/protocol.ts'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import type { Driver } from '../devices/driver.ts'
import type { Misbehaviour } from '../simulators/devices/misbehaviour.ts'
import { blankCards, type SimulatedAntenna } from '../simulators/devices/simulated-card.ts'

import { filled, type LobbyOptions } from './simulated-lobby.ts'

/** A single simulated device, which a program reaches over a wire. */
export interface SimulatedDevice {
  model: string
  /** The names of the commands that can be made to fail. */
  commands: readonly string[]
  misbehaviours: Misbehaviour[]
  /**
   * Executes a line of text as an action of the person at the device, and returns the text to print. Absent for a
   * device without a person.
   */
  act?(line: string): Promise<string>
  /** Simulates the device at the far end of a wire. Resolves when the wire has ended. */
  play(wire: Duplex): Promise<void>
}

const wordsOf = ({ name, models }: Pick<Driver, 'name' | 'models'>) => [name, ...models]

/** An encoder on USB HID: the simulator's wire carries its reports. */
const reportEncoderWord = 'ifd510'
/** The PC of a lock system that drives encoders of its own. */
const lockPcWord = 'industry-standard'
/** A cloud service for locks behind gateways, over HTTP. */
const cloudWord = 'ttlock'

/** The names of the devices that can be simulated. */
export const simulatedModels: readonly string[] = [
  ...wordsOf(crt571),
  ...wordsOf(k720),
  'twn4',
  reportEncoderWord,
  lockPcWord,
  cloudWord,
  ...Object.keys(simulatedLines),
  simulatedPmsWord,
]

/**
 * Creates devices that share one card path: every encoder's antenna reads the cards of the first dispenser.
 * Without a dispenser, one blank card stays on the antenna.
 */
export function simulatedDevices(models: readonly string[], options: LobbyOptions): SimulatedDevice[] {
  const { seed = null } = options
  const dispensers = models.map((model, index) =>
    imitatedDispenser(model, { ...options, seed: seed && `${seed} ${index}` }),
  )
  const lying = blankCards(1, seed, options.technology ?? 'classic')
  const antenna = dispensers.find((each) => each !== null)?.antenna ?? { cards: () => lying }
  return models.map(
    (model, index) =>
      dispensers[index]?.device ??
      imitatedLockPc(model, options) ??
      imitatedCloud(model, options) ??
      imitatedKeySystem(model, options) ??
      imitatedPms(model, options) ??
      imitatedEncoder(model, antenna, options),
  )
}

/** Returns null when the model is not a dispenser. */
function imitatedDispenser(
  model: string,
  options: LobbyOptions,
): { antenna: SimulatedAntenna; device: SimulatedDevice } | null {
  if (wordsOf(crt571).includes(model)) {
    const antenna = machine({ ...filled(options), model })
    return { antenna, device: played(model, profileOf(model).commands, antenna, simulateCrt571) }
  }
  if (!wordsOf(k720).includes(model)) return null
  const antenna = k720Machine({ ...filled(options), model })
  return { antenna, device: played(model, k720Commands, antenna, simulateK720) }
}

function imitatedEncoder(
  model: string,
  antenna: SimulatedAntenna,
  { clock, pace }: LobbyOptions,
): SimulatedDevice {
  if (model !== reportEncoderWord)
    return played(model, commands, reader({ clock, antenna, pace }), simulateTwn4)
  return played(model, ifd510Commands, ifd510Reader({ clock, antenna, pace }), simulateIfd510)
}

/** Returns null when the model is not a lock PC. */
function imitatedLockPc(
  model: string,
  { clock, cards, seed = null, pace }: LobbyOptions,
): SimulatedDevice | null {
  if (model !== lockPcWord) return null
  const pc = simulatedHouse({ clock, cards, seed, pace })
  const commands = Object.fromEntries(simulatedCommands.map((name) => [name, name]))
  return played(model, commands, pc, simulateLockPc)
}

/** Returns null when the model is not a cloud service. */
function imitatedCloud(model: string, { clock, pace }: LobbyOptions): SimulatedDevice | null {
  if (model !== cloudWord) return null
  return played(model, cloudCalls, simulatedCloud({ clock, commandMs: pace * 3_000 }), simulateTtlock)
}

/** Returns null when the model is not a key system with a link of its own. */
function imitatedKeySystem(model: string, { clock, seed = null }: LobbyOptions): SimulatedDevice | null {
  const framing = simulatedLines[model]
  if (!framing) return null
  const system = simulatedKeySystem(framing, seed, clock)
  const { misbehaviours } = system
  return { model, commands: simulatedRequests, misbehaviours, play: system.play }
}

/** Returns null when the model is not a PMS. */
function imitatedPms(model: string, { clock }: LobbyOptions): SimulatedDevice | null {
  return model === simulatedPmsWord
    ? { model, commands: simulatedPmsRequests, ...simulatedClerk(clock) }
    : null
}

function played<Device extends { misbehaviours: Misbehaviour[] }>(
  model: string,
  table: object,
  device: Device,
  play: (wire: Duplex, device: Device) => Promise<void>,
): SimulatedDevice {
  const { misbehaviours } = device
  return { model, commands: Object.keys(table), misbehaviours, play: (wire) => play(wire, device) }
}
